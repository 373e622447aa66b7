import { sql } from 'kysely'
import type { Collection } from '../../../query/collection.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { Layout } from '../../layout.ts'
import type { OpenRelease } from '../../store.ts'
import { tableCollection } from '../../table/queries.ts'
import { kyselyOver } from '../dialect.ts'
import { openDatabase } from '../driver.ts'
import { toReadError } from '../faults.ts'
import { verifyFile } from '../release-file.ts'
import type { KeptRelease } from '../release-rows.ts'
import { columnScan } from './column-scan.ts'
import { tableEngine } from './table-engine.ts'

/** Opens a release file for reading, once its bytes are verified. */
export async function openRelease(path: string, kept: KeptRelease, layout: Layout): Promise<OpenRelease> {
  const { release } = kept
  await verifyFile(path, kept)
  const file = openDatabase(path, { finished: true })
  const database = await kyselyOver<unknown>(file, error => toReadError(error, path))
  const close = () => database.destroy()
  if (layout.kind === 'documents') return { release, records: documents, close }
  const table = tableCollection(tableEngine(database), layout, release.rows)
  const scan = columnScan(file, path, layout)
  return { release, table, scan, records: () => tableRecords(table), close }

  async function* documents(): AsyncGenerator<StoredRecord> {
    for (let after = 0; after < release.rows; after += BATCH) {
      const { rows } = await sql<{ content: string }>`
        select content from documents where position between ${after + 1} and ${after + BATCH} order by position
      `.execute(database)
      for (const { content } of rows) yield JSON.parse(content) as StoredRecord
    }
  }
}

/** Records in one batch; between batches the connection is free for other queries. */
const BATCH = 1000

async function* tableRecords(table: Collection): AsyncGenerator<StoredRecord> {
  for await (const batch of (await table.execute({})).batches()) yield* batch.records()
}
