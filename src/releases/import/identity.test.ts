import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIdentify } from './identity.ts'

const naming = (name = 'benches') =>
  createIdentify({ name, identity: { kind: 'uuid', naturalKey: record => String(record.name) } })
const idOf = (name: string, dataset?: string) => naming(dataset)({ name }, () => {}).key

test('ids that are made never change', () => {
  // If this fails, every record without an id of its own would get another id at the next import.
  assert.equal(idOf('Harbour Café'), '582c7fe6-c2ee-5d1f-a9bd-fa847d7a1832')
})

test('an id depends on the dataset and the folded natural key alone', () => {
  assert.equal(idOf('  Harbour   CAFÉ '), idOf('harbour cafe\u0301'))
  assert.notEqual(idOf('Harbour'), idOf('Harbour', 'kiosks'))
})

test('a repeated natural key gets a separate id, even if a name looks like an ordinal', () => {
  const identify = naming()
  const warnings: string[] = []
  const ids = ['Mill', 'MILL', 'Mill #2', 'mill'].map(
    name => identify({ name }, (_field, value, reason) => warnings.push(`${value} ${reason}`)).key,
  )
  assert.equal(new Set(ids).size, 4)
  assert.equal(warnings.length, 2)
  assert.match(warnings[1] ?? '', /^mill names 3 records; they have no ids and are/)
})

test("a record's own id is its key", () => {
  const id = '03d8bf66-e451-4a20-b3e5-96f8c1293f2c'
  assert.deepEqual(
    naming()({ id, name: 'x' }, () => {}),
    { key: id, record: { id, name: 'x' } },
  )
  assert.deepEqual(
    createIdentify({ name: 'a', identity: { kind: 'given' } })({ id: 7 }, () => {}),
    { key: '7', record: { id: 7 } },
  )
})
