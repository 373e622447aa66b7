import {
  changeCurrent,
  enterCurrent,
  KEPT_RELEASES,
  releaseNumbered,
  releaseOf,
} from '../registry/current-release.ts'
import { addFirstSeen } from '../registry/first-seen.ts'
import type { PublishDetails, Release } from '../store.ts'
import type { Registry } from './registry.ts'
import type { ReleaseTables } from './registry-tables.ts'
import { writing } from './write/writing.ts'

/** A release and the SHA-256 of its file. */
export interface KeptRelease {
  readonly release: Release
  readonly fileSha256: string
}

/** All releases of a dataset with the hashes of their files, newest first. */
export async function keptReleases(registry: Registry, dataset: string): Promise<KeptRelease[]> {
  const rows = await registry
    .withTables<ReleaseTables>()
    .selectFrom('releases')
    .innerJoin('datasets', 'datasets.name', 'releases.dataset')
    .where('releases.dataset', '=', dataset)
    .selectAll()
    .orderBy('number', 'desc')
    .execute()
  return rows.map(row => ({
    fileSha256: row.file_sha256,
    release: releaseOf(row),
  }))
}

/** One release of a dataset. Throws {@link UnknownReleaseError}. */
export async function keptRelease(registry: Registry, dataset: string, number: number): Promise<KeptRelease> {
  return releaseNumbered(await keptReleases(registry, dataset), dataset, number)
}

/** The number that the dataset's next release will have. */
export async function nextNumber(registry: Registry, dataset: string): Promise<number> {
  const row = await registry
    .selectFrom('datasets')
    .where('name', '=', dataset)
    .select('last_number')
    .executeTakeFirst()
  return (row?.last_number ?? 0) + 1
}

/** Registers a release and makes it current in one transaction; returns the numbers of the releases pruned for it. */
export async function enterRelease(
  registry: Registry,
  entry: { dataset: string; number: number; hash: string; rows: number; fileSha256: string },
  details: PublishDetails,
): Promise<number[]> {
  const { dataset, number, hash, rows, fileSha256 } = entry
  const now = new Date().toISOString()
  return writing(registry, async transaction => {
    await transaction
      .withTables<ReleaseTables>()
      .insertInto('releases')
      .values({
        dataset,
        number,
        hash,
        file_sha256: fileSha256,
        rows,
        published_at: now,
        source: details.source,
        synthetic: details.synthetic ? 1 : 0,
        ...details.changes,
      })
      .execute()
    await enterCurrent(transaction, dataset, number, now)
    await addFirstSeen(transaction, dataset, details.firstSeen)
    return prune(transaction, dataset, number)
  })
}

async function prune(registry: Registry, dataset: string, current: number): Promise<number[]> {
  const tables = registry.withTables<ReleaseTables>()
  const releases = await tables
    .selectFrom('releases')
    .where('dataset', '=', dataset)
    .select('number')
    .orderBy('number', 'desc')
    .execute()
  const gone = releases
    .map(row => row.number)
    .filter((number, age) => age >= KEPT_RELEASES && number !== current)
  for (const number of gone)
    await tables.deleteFrom('releases').where('dataset', '=', dataset).where('number', '=', number).execute()
  return gone
}

/** Makes a release of the registry the current one. */
export async function switchCurrent(registry: Registry, dataset: string, number: number): Promise<void> {
  await writing(registry, transaction => changeCurrent(transaction, dataset, number))
}
