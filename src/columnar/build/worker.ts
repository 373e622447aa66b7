import { parentPort, workerData } from 'node:worker_threads'
import { storeAt } from '../../store/open-store.ts'
import { lowerPriority } from '../../values/thread.ts'
import { buffersOf, type TableData } from '../indexes/table-data.ts'
import { buildTableData } from './build-table.ts'
import type { BuildOutcome, TableSource } from './load.ts'

/*
 * The worker thread that builds a table. It transfers the memory, without copying, and ends.
 */

lowerPriority()

const outcome = await build(workerData as TableSource).then(
  (data): BuildOutcome => ({ data }),
  (error: Error): BuildOutcome => ({
    failure: { name: error.name, message: error.message, stack: error.stack },
  }),
)
parentPort?.postMessage(outcome, 'data' in outcome ? [...buffersOf(outcome.data)] : [])

async function build(source: TableSource): Promise<TableData> {
  const { databaseUrl, readUrl, release, layout, prerenderBytes } = source
  const scan = await storeAt(databaseUrl).openColumnScan(release, layout, readUrl)
  try {
    return await buildTableData(scan, layout, release.rows, { prerenderBytes })
  } finally {
    await scan.close()
  }
}
