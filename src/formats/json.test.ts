import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { Vehicle } from '../datasets/vehicles/schema.ts'
import { batchesOf } from '../query/query.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

const record = fc.dictionary(fc.string(), fc.jsonValue())

test('json is the records in the shape of the API, and readable by any JSON reader', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record), async records => {
      const written = (await Readable.from(json.write(batchesOf(records), Vehicle)).toArray()).join('')
      assert.equal(JSON.stringify(JSON.parse(written)), JSON.stringify({ results: records }))
    }),
  )
})

test('ndjson is a record a line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record), async records => {
      const written = (await Readable.from(ndjson.write(batchesOf(records), Vehicle)).toArray()).join('')
      const lines = written.split('\n')
      assert.equal(lines.pop(), '')
      assert.deepEqual(
        lines,
        records.map(each => JSON.stringify(each)),
      )
    }),
  )
})

test('an empty dataset is an empty list', async () => {
  const [empty = Buffer.of(), ...more] = await Readable.from(json.write(batchesOf([]), Vehicle)).toArray()
  assert.equal(String(empty), '{"results":[]}\n')
  assert.deepEqual(more, [])
  assert.deepEqual(await Readable.from(ndjson.write(batchesOf([]), Vehicle)).toArray(), [])
})

test('a large dataset is written in chunks, not as one text', async () => {
  const records = Array.from({ length: 5000 }, (_, index) => ({ make: 'Lancia', index }))
  const chunks = await Readable.from(json.write(batchesOf(records), Vehicle)).toArray()
  assert.ok(chunks.length > 1)
  assert.ok(chunks.every(chunk => chunk.length < 70_000))
  assert.deepEqual(JSON.parse(chunks.join('')), { results: records })
})
