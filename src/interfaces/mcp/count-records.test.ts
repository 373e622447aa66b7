import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../../http/router.ts'
import { listOf, oneOf, text } from '../../values/values.ts'
import { type Arguments, callTool, inputSchema } from './tool.ts'
import { countTools } from './tools.ts'

const statsOf = (dataset: string, fields: readonly string[], filter: string): Route => ({
  path: `/v1/${dataset}/stats`,
  handle: () => assert.fail('asked through `ask` alone'),
  operation: {
    operationId: `count-${dataset}`,
    tag: dataset,
    summary: '',
    content: {},
    problems: [],
    isConditional: true,
    parameters: {
      by: { type: listOf(oneOf(fields)), description: 'The fields.' },
      measures: {
        type: listOf(oneOf(['share', ...fields.map(name => `${name}.mean`)])),
        description: 'More.',
      },
      [filter]: { type: text({ maxLength: 10 }), description: 'A filter.' },
      format: { type: oneOf(['csv']), description: 'For programs.' },
    },
  },
})

const [tool = assert.fail()] = countTools(
  [statsOf('boats', ['hull', 'year'], 'harbour'), statsOf('toilets', ['parish'], 'facility')],
  ['boats', 'toilets', 'vehicles'],
)

test('counts by the fields and filters of a dataset, through its own endpoint', async () => {
  const asked: string[] = []
  const found = await callTool(
    tool,
    { dataset: 'boats', by: ['hull', 'year'], measures: ['share'], harbour: 'St. A', top: 1 },
    async path => {
      asked.push(path)
      return {
        total: 9,
        groups: 4,
        results: [{ hull: 'WOOD', year: 1990, count: 5 }],
        rest: { groups: 3, count: 4 },
      }
    },
  )
  assert.deepEqual(asked, ['/v1/boats/stats?by=hull%2Cyear&measures=share&harbour=St.+A&top=1'])
  assert.deepEqual(found, {
    datasets: ['boats'],
    data: {
      total: 9,
      groups: 4,
      rest: { groups: 3, count: 4 },
      results: [{ hull: 'WOOD', year: 1990, count: 5 }],
    },
    total: 4,
  })
})

test('says which fields each dataset has, and offers no others', async () => {
  const { properties, required } = inputSchema(tool)
  assert.deepEqual(Object.keys(properties), ['by', 'measures', 'harbour', 'facility', 'dataset', 'top'])
  assert.match(JSON.stringify(properties.by), /boats: .*hull, year\. toilets: .*parish\./)
  assert.match(JSON.stringify(properties.measures), /boats: .*hull\.mean, .*toilets: .*parish\.mean\./)
  assert.deepEqual(required, ['dataset', 'by'])
  const refused = (sent: Arguments) =>
    callTool(tool, sent, () => assert.fail('a wrong question is not asked'))
  await assert.rejects(refused({ dataset: 'toilets', by: 'hull' }), /by must be parish/)
  await assert.rejects(refused({ dataset: 'toilets', by: 'parish', harbour: 'x' }), /harbour/)
  await assert.rejects(refused({ dataset: 'vehicles', by: 'make' }), /must be one of boats, toilets/)
  await assert.rejects(refused({ dataset: 'boats', by: 'hull', top: 51 }), /at most 50/)
  await assert.rejects(refused({}), /dataset is required; by is required/)
})

test('there is no such tool where nothing is counted', () => {
  assert.deepEqual(countTools([], ['vehicles']), [])
})
