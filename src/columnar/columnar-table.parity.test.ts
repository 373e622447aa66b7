import assert from 'node:assert/strict'
import { compareWithModel } from '../../test/support/collection-parity.ts'
import { VEHICLES } from '../../test/support/stored-vehicles.ts'
import type { StoredRecord } from '../query/query.ts'
import { buildTableData, type Sizes, type TableBuildOptions } from './build/build-table.ts'
import { collectRows } from './build/collect-rows.ts'
import { tableFile } from './build/write-table-file.ts'
import { openColumnarTable } from './columnar-table.ts'
import { readTableFile } from './read-table-file.ts'

/** Sizes so small that few rows fill many blocks and chunks, and every text is searched by its trigrams. */
const SMALL: Sizes = { blockShift: 1, chunkShift: 2, minIndexedText: 0 }

compareWithModel('columnar table', { lists: 60, open: async () => tablesOf })

/** Every kind of table: rows prerendered and assembled, sizes small and usual; and one read from its file. */
async function tablesOf(records: readonly StoredRecord[], layout = VEHICLES) {
  const build = async (options: TableBuildOptions) => {
    const rows = collectRows(layout)
    for (const record of records) rows.add(record)
    return buildTableData(rows.inServedOrder(), layout, options)
  }
  const small = await build({ prerenderBytes: 2 ** 30, sizes: SMALL })
  const file = Buffer.concat([...tableFile(layout, small, new Uint8Array(0))])
  const read = async (into: Uint8Array, position: number) => void file.copy(into, 0, position)
  const tables = [
    small,
    await build({ prerenderBytes: 0, sizes: SMALL }),
    await build({ prerenderBytes: 2 ** 30 }),
    await readTableFile({ size: file.length, read }, layout),
  ].map(data => openColumnarTable(layout, data))
  assert.deepEqual(
    tables.map(({ isPrerendered }) => isPrerendered),
    [true, records.length === 0, true, true],
  )
  return tables
}
