import type { TableLayout } from '../../layout.ts'
import type { OpenContents } from '../../open-contents.ts'
import { DamagedReleaseError, type Release, UnknownReleaseError } from '../../store.ts'
import { readAddress } from '../connect/address.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import { closeTopology, openTopology } from '../connect/replicas.ts'
import { sameRelease } from '../release-rows.ts'
import { releaseTables } from '../write/release-tables.ts'
import { readRegistry } from './registry-reader.ts'
import { releaseReader } from './release-reader.ts'
import { tableContents } from './table-contents.ts'

/** Opens the column scan of a release in a database. `readFrom` is the address of the read hosts. */
export async function openPostgresContents(
  address: string,
  release: Release,
  layout: TableLayout,
  readFrom?: string | undefined,
): Promise<OpenContents> {
  const target = readAddress(address)
  const topology = openTopology(target, readFrom)
  try {
    const { id } = await readRegistry(topology).ask(registry => sameRelease(registry, release))
    const database = kyselyOver<unknown>(releaseReader(topology, id), error => toReadError(error, target))
    const contents = tableContents(database, releaseTables(target.schema, id), layout)
    return { ...contents, close: () => closeTopology(topology) }
  } catch (error) {
    await closeTopology(topology)
    if (!(error instanceof UnknownReleaseError)) throw error
    const { dataset, number } = release
    throw new DamagedReleaseError(`release ${number} of ${dataset} is not in ${target.shown}`, {
      cause: error,
    })
  }
}
