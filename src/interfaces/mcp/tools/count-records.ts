import type { Parameters } from '../../../http/request/parameters.ts'
import type { Route } from '../../../http/routing/router.ts'
import { integer, listOf, oneOf, text } from '../../../values/values.ts'
import { inputSchema, readArguments } from '../arguments.ts'
import { address, resultsOf, type Tool } from '../tool.ts'
import { forAgents } from './list-tool.ts'

const MOST_GROUPS = 50

const top = {
  type: integer({ minimum: 1, maximum: MOST_GROUPS }),
  default: 10,
  description: 'How many of the largest groups to return; `rest` counts the others together.',
}

const statsPath = (dataset: string): string => `/v1/${dataset}/stats`

/** The tool that counts records, over the datasets that have an endpoint for it; none without such an endpoint. */
export function countTools(routes: readonly Route[], names: readonly string[]): Tool[] {
  const counted = names.flatMap(dataset => {
    const operation = routes.find(({ path }) => path === statsPath(dataset))?.operation
    return operation === undefined ? [] : [{ dataset, parameters: forAgents(operation.parameters) }]
  })
  if (counted.length === 0) return []
  const dataset = {
    type: oneOf(counted.map(each => each.dataset)),
    description: 'The name of the dataset.',
  }
  const by = {
    type: listOf(text({ maxLength: 100 })),
    description: `The fields to count by. ${counted.map(each => `${each.dataset}: ${each.parameters.by?.type.allowed}.`).join(' ')}`,
  }
  const filters: Parameters = Object.assign({}, ...counted.map(each => each.parameters))
  const required = ['dataset', 'by']
  return [
    {
      name: 'count_records',
      title: 'Count records by fields',
      description:
        'How many records there are for each value of one or more fields, largest groups first, with exact totals. Every filter of the dataset can be combined with it.',
      input: () => inputSchema({ ...filters, dataset, by, top }, required),
      async call(sent, ask) {
        const chosen = counted.find(each => each.dataset === sent.dataset)
        const taken: Parameters = {
          ...(chosen?.parameters ?? {}),
          dataset,
          by: chosen?.parameters.by ?? by,
          top,
        }
        const { values, canonical } = readArguments(taken, sent, required)
        const query = new URLSearchParams(canonical)
        query.delete('dataset')
        query.set('top', String(values.top))
        const { groups, ...body } = await ask(address(statsPath(String(values.dataset)), String(query)))
        const data = { ...body, groups, results: resultsOf(body) }
        return { datasets: [String(values.dataset)], data, total: Number(groups) }
      },
    } satisfies Tool,
  ]
}
