import { type Release, UnknownReleaseError } from '../store.ts'
import type { Registry, RegistryTables, ReleaseRow } from './registry-tables.ts'
import { nextRevision } from './revision.ts'

/** The number of releases kept of each dataset, besides the current one. */
export const KEPT_RELEASES = 5

/** One release of a dataset. Throws {@link UnknownReleaseError}. */
export function releaseNumbered<Recorded extends { readonly release: Release }>(
  kept: readonly Recorded[],
  dataset: string,
  number: number,
): Recorded {
  const found = kept.find(({ release }) => release.number === number)
  if (found !== undefined) return found
  const numbers = kept.map(({ release }) => release.number).join(', ') || 'none'
  throw new UnknownReleaseError(`${dataset} has no release ${number}; kept are: ${numbers}`)
}

/** A release's row in the registry, with what is current of its dataset. */
type KeptRow = ReleaseRow<boolean | number> &
  Pick<RegistryTables['datasets'], 'current_number' | 'current_since'>

/** Converts a release's row in the registry. */
export function releaseOf(row: KeptRow): Release {
  return {
    dataset: row.dataset,
    number: row.number,
    hash: row.hash,
    rows: row.rows,
    publishedAt: row.published_at,
    currentSince: row.number === row.current_number ? row.current_since : null,
    source: row.source,
    synthetic: Boolean(row.synthetic),
    changes: { added: row.added, changed: row.changed, removed: row.removed },
  }
}

/** Makes a new release the current one, in the caller's transaction. */
export async function enterCurrent(
  transaction: Registry,
  dataset: string,
  number: number,
  since: string,
): Promise<void> {
  const state = { last_number: number, current_number: number, current_since: since }
  await transaction
    .insertInto('datasets')
    .values({ name: dataset, ...state })
    .onConflict(conflict => conflict.column('name').doUpdateSet(state))
    .execute()
  await raiseRevision(transaction)
}

/** Makes a release of the registry the current one, in the caller's transaction. */
export async function changeCurrent(transaction: Registry, dataset: string, number: number): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set({ current_number: number, current_since: new Date().toISOString() })
    .where('name', '=', dataset)
    .execute()
  await raiseRevision(transaction)
}

async function raiseRevision(registry: Registry): Promise<void> {
  const revision = nextRevision(await readRevision(registry))
  await registry.updateTable('state').set({ revision }).execute()
}

/** A number that rises with each change of any current release. */
export async function readRevision(registry: Registry): Promise<number> {
  const row = await registry.selectFrom('state').select('revision').executeTakeFirstOrThrow()
  return row.revision
}
