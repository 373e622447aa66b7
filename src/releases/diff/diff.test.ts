import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StoredRecord } from '../../query/query.ts'
import { changedFields } from './changes.ts'
import { type Differences, findDifferences } from './diff.ts'

const keyOf = (record: StoredRecord) => String(record.id)

async function find(from: readonly StoredRecord[], to: readonly StoredRecord[]): Promise<Differences> {
  async function* records() {
    yield* from
  }
  const { differences } = await findDifferences({ rows: from.length, records }, keyOf, async take => {
    for (const record of to) take(keyOf(record), record)
  })
  return differences
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

async function listsOf({ added, removed, changed }: Differences) {
  return {
    added: await gather(added()),
    removed: await gather(removed()),
    changed: await gather(changed()),
  }
}

const record = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  colour: fc.constantFrom('red', 'blue', null),
  owner: fc.constantFrom(null, { name: 'Ports' }, { name: 'Parish' }),
})
const records = fc.array(record, { maxLength: 12 })
const sorted = (list: readonly unknown[]) => list.map(item => JSON.stringify(item)).sort()

test('a diff applied to the older list gives the newer one, whatever repeats in them', async () => {
  await fc.assert(
    fc.asyncProperty(records, records, async (from, to) => {
      const differences = await find(from, to)
      const { added, removed, changed } = await listsOf(differences)
      const left = sorted(from)
      const gone = [
        ...removed,
        // The form of the JSON: the new record with the earlier values of its changed fields.
        ...changed.map(change => ({
          ...change.to,
          ...Object.fromEntries(
            Object.entries(changedFields(change.from, change.to)).map(([field, { from }]) => [field, from]),
          ),
        })),
      ]
      for (const one of sorted(gone)) {
        assert.ok(left.includes(one), `${one} was not there`)
        left.splice(left.indexOf(one), 1)
      }
      const result = [...left, ...sorted(added), ...sorted(changed.map(change => change.to))].sort()
      assert.deepEqual(result, sorted(to))
      const counts = { added: added.length, changed: changed.length, removed: removed.length }
      assert.deepEqual(differences.counts, counts)
      const isAdded = (one: StoredRecord) => added.some(other => keyOf(other) === keyOf(one))
      assert.ok(!removed.some(isAdded), 'a record of the same key is changed, not added and removed')
      for (const { key, from, to } of changed) assert.deepEqual([keyOf(from), keyOf(to)], [key, key])
      differences.close()
    }),
  )
})

test('differences come in the order of the newer list, those removed in the order of the older one', async () => {
  const of = (...names: string[]) => names.map(name => ({ id: name.slice(0, 1), name }))
  const differences = await find(of('z', 'y', 'c', 'b', 'a'), of('b2', 'new', 'a2', 'c', 'more'))
  const { added, removed, changed } = await listsOf(differences)
  assert.deepEqual(
    [added, removed, changed.map(({ to }) => to)].map(list => list.map(one => one.name)),
    [
      ['new', 'more'],
      ['z', 'y'],
      ['b2', 'a2'],
    ],
  )
  differences.close()
})

test('an error of what reads the newer list is passed on', async () => {
  await assert.rejects(
    findDifferences({ rows: 0, async *records() {} }, keyOf, () => Promise.reject(new Error('broken'))),
    /broken/,
  )
})

test('only fields with other values are changed, in the order of the newer record; one that lacks counts as null', () => {
  const from = { id: 1, old: 'x', list: ['a', 'b'], owner: { name: 'Ports' }, gone: null }
  const to = { owner: { name: 'Parish' }, id: 1, list: ['a', 'b'], more: true }
  assert.deepEqual(Object.entries(changedFields(from, to)), [
    ['owner', { from: { name: 'Ports' }, to: { name: 'Parish' } }],
    ['more', { from: null, to: true }],
    ['old', { from: 'x', to: null }],
  ])
})
