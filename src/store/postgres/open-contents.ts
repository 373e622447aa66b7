import type { TableLayout } from '../layout.ts'
import type { OpenContents } from '../open-contents.ts'
import { DamagedReleaseError, type Release, UnknownReleaseError } from '../store.ts'
import { readAddress } from './address.ts'
import { openConnections } from './connections.ts'
import { kyselyOver } from './dialect.ts'
import { explainReading } from './faults.ts'
import { registryOver } from './registry.ts'
import { keptRelease } from './release-rows.ts'
import { releaseTables } from './release-tables.ts'
import { tableContents } from './table-contents.ts'

/** Opens the whole of a release that lies in a database. */
export async function openPostgresContents(
  address: string,
  { dataset, number }: Release,
  layout: TableLayout,
): Promise<OpenContents> {
  const target = readAddress(address)
  const connections = openConnections(target, { readOnly: true, size: 1 })
  try {
    const { id } = await keptRelease(registryOver(connections, target), dataset, number)
    const database = kyselyOver<unknown>(connections, error => explainReading(error, target))
    const contents = tableContents(database, releaseTables(target.schema, id), layout)
    return { ...contents, close: () => connections.end() }
  } catch (error) {
    await connections.end()
    if (!(error instanceof UnknownReleaseError)) throw error
    throw new DamagedReleaseError(`release ${number} of ${dataset} is not in ${target.shown}`, {
      cause: error,
    })
  }
}
