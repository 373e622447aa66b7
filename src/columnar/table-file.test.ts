import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import { buildTableData } from './build/build-table.ts'
import { collectRows } from './build/collect-rows.ts'
import { tableFile } from './build/write-table-file.ts'
import { readTableFile } from './read-table-file.ts'

const rows = collectRows(VEHICLES)
for (const vehicle of vehicles(500)) rows.add(vehicle)
const data = await buildTableData(rows.inServedOrder(), VEHICLES, { prerenderBytes: 2 ** 30 })

const written = (table: typeof data) => Buffer.concat([...tableFile(VEHICLES, table, new Uint8Array(0))])

const read = (file: Buffer) =>
  readTableFile(
    { size: file.length, read: async (into, position) => void file.copy(into, 0, position) },
    VEHICLES,
  )

/** Changes a number of the head: after the mark come the version, the byte order, and the length of the description. */
function withNumber(file: Buffer, place: number, bytes: Buffer): Buffer {
  const changed = Buffer.from(file)
  bytes.copy(changed, 8 + 4 * place)
  const length = changed.readUInt32LE(16)
  changed.writeUInt32LE(crc32(changed.subarray(24, 24 + length), crc32(changed.subarray(0, 20))), 20)
  return changed
}

test('a file of a later version, and of a machine with another byte order, is refused in one line', async () => {
  await assert.rejects(read(withNumber(written(data), 0, Buffer.from([3]))), {
    name: 'UnreadableTableError',
    message:
      'it has version 3 of the form, and this version of the service reads 2: run the version that wrote it',
  })
  await assert.rejects(read(withNumber(written(data), 1, Buffer.from([1, 2, 3, 4]))), {
    name: 'UnreadableTableError',
    message: 'it has the byte order of another machine: import the data here',
  })
})
