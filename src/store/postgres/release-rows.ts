import {
  changeCurrent,
  enterCurrent,
  KEPT_RELEASES,
  releaseNumbered,
  releaseOf,
} from '../registry/current-release.ts'
import { addFirstSeen } from '../registry/first-seen.ts'
import { type PublishDetails, type Release, StoreUnusableError } from '../store.ts'
import { notify } from './coordinate/notifications.ts'
import { type Registry, releasesOf } from './registry.ts'

/** A release and the id in the names of its tables. */
export interface KeptRelease {
  readonly release: Release
  readonly id: number
}

/** All releases of a dataset, newest first. */
export async function keptReleases(registry: Registry, dataset: string): Promise<KeptRelease[]> {
  const rows = await releasesOf(registry)
    .selectFrom('releases')
    .innerJoin('datasets', 'datasets.name', 'releases.dataset')
    .where('releases.dataset', '=', dataset)
    .selectAll()
    .orderBy('number', 'desc')
    .execute()
  return rows.map(row => ({
    id: row.id,
    release: releaseOf(row),
  }))
}

/** One release of a dataset. Throws {@link UnknownReleaseError}. */
export async function keptRelease(registry: Registry, dataset: string, number: number): Promise<KeptRelease> {
  return releaseNumbered(await keptReleases(registry, dataset), dataset, number)
}

/**
 * The registry's row of a release. After a fail-over another release may have its number: throws {@link
 * StoreUnusableError} then, as the next read of the current release returns that one.
 */
export async function sameRelease(
  registry: Registry,
  { dataset, number, hash }: Release,
): Promise<KeptRelease> {
  const kept = await keptRelease(registry, dataset, number)
  if (kept.release.hash === hash) return kept
  throw new StoreUnusableError(`release ${number} of ${dataset} is another one now: try again`)
}

export interface Entry {
  readonly id: number
  readonly dataset: string
  readonly hash: string
  readonly rows: number
}

/**
 * Registers a release, makes it current, retires those beyond the newest and notifies all instances, in one
 * transaction; returns its number.
 */
export async function enterRelease(
  registry: Registry,
  schema: string,
  { dataset, ...entry }: Entry,
  { source, synthetic, changes, firstSeen }: PublishDetails,
): Promise<number> {
  const now = new Date()
  return registry.transaction().execute(async transaction => {
    const known = await transaction
      .selectFrom('datasets')
      .where('name', '=', dataset)
      .select('last_number')
      .executeTakeFirst()
    const number = (known?.last_number ?? 0) + 1
    const published_at = now.toISOString()
    await releasesOf(transaction)
      .insertInto('releases')
      .values({ ...entry, dataset, number, published_at, source, synthetic, ...changes })
      .execute()
    await enterCurrent(transaction, dataset, number, published_at)
    await addFirstSeen(transaction, dataset, firstSeen)
    await prune(transaction, dataset, number, now.getTime())
    await notify(transaction, schema, 'releases')
    return number
  })
}

async function prune(
  registry: Registry,
  dataset: string,
  current: number,
  retired_at: number,
): Promise<void> {
  const tables = releasesOf(registry)
  const releases = await tables
    .selectFrom('releases')
    .where('dataset', '=', dataset)
    .select(['id', 'number'])
    .orderBy('number', 'desc')
    .execute()
  for (const { id } of releases.filter(({ number }, age) => age >= KEPT_RELEASES && number !== current)) {
    await tables.deleteFrom('releases').where('id', '=', id).execute()
    await tables.insertInto('retired').values({ id, retired_at }).execute()
  }
}

/** Makes a release of the registry the current one. */
export async function switchCurrent(
  registry: Registry,
  schema: string,
  dataset: string,
  number: number,
): Promise<void> {
  await registry.transaction().execute(async transaction => {
    await changeCurrent(transaction, dataset, number)
    await notify(transaction, schema, 'releases')
  })
}
