import { sql } from 'kysely'
import type { StoredRecord } from '../query/query.ts'
import type { ColumnScan } from './column-scan.ts'
import type { Layout, TableLayout } from './layout.ts'
import type { OpenRelease, Release } from './store.ts'
import type { TableEngine } from './table/engine.ts'
import { filledCells } from './table/filled-cells.ts'
import { tableCollection } from './table/table-collection.ts'

/** Records in one batch, which bounds memory; between batches an embedded engine is free for other queries. */
const BATCH = 1000

/** A verified release, read through an engine's tables. */
export function openReleaseOver(
  engine: TableEngine,
  release: Release,
  layout: Layout,
  { scan, close }: { scan: (layout: TableLayout) => ColumnScan; close: () => Promise<void> },
): OpenRelease {
  if (layout.kind === 'documents') return { release, records: () => documents(engine, release.rows), close }
  const table = tableCollection(engine, layout, release.rows)
  const filled = (blanks: ReadonlyMap<string, string>) => filledCells(engine, layout, release.rows, blanks)
  return { release, table, scan: scan(layout), filled, records, close }

  async function* records(): AsyncGenerator<StoredRecord> {
    for await (const batch of (await table.execute({})).batches()) yield* batch.records()
  }
}

async function* documents({ database, table }: TableEngine, rows: number): AsyncGenerator<StoredRecord> {
  for (let after = 0; after < rows; after += BATCH) {
    const batch = await sql<{ content: string }>`
      select content from ${table('documents')}
      where position between ${after + 1} and ${after + BATCH} order by position`.execute(database)
    for (const { content } of batch.rows) yield JSON.parse(content) as StoredRecord
  }
}
