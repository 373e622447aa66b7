import { sql } from 'kysely'
import { runBy } from '../../values/system/user.ts'
import { DAY_MS } from '../../values/time-units.ts'
import { escapeText, unescapeText } from '../encoding/content.ts'
import {
  type Corrected,
  type HeldBack,
  type PublishDetails,
  type Release,
  StoreUnusableError,
  UnknownReleaseError,
} from '../store.ts'
import { addEntry } from './journal.ts'
import { type FileRow, type InsertRows, type Registry, type ReleaseColumns, raiseRevision } from './tables.ts'

/** The releases kept of each dataset by default, as `KEEP_RELEASES` says it. */
const KEPT_RELEASES = '5'
/**
 * How long the content of a pruned release is kept. A cursor reads it for an hour at most, a backup or a query on a standby for
 * less.
 */
const RETIRED_MS = 70 * 60_000

/** A release and the place of its content. */
export interface KeptRelease extends Readonly<Pick<FileRow, 'name' | 'sha256' | 'digest'>> {
  readonly release: Release
}

/** The place of a release's content. */
export type PlacedFile = Readonly<Pick<FileRow, 'name' | 'bytes' | 'sha256'>>

/** The condition that joins `files`, the content of a release, to the release's row. */
export const ofRelease = sql<boolean>`(files.dataset, files.number) = (releases.dataset, releases.number)`

/** All releases of a dataset, newest first. */
export async function keptReleases(registry: Registry, dataset: string): Promise<KeptRelease[]> {
  const rows = await registry
    .selectFrom('releases')
    .innerJoin('datasets', 'datasets.name', 'releases.dataset')
    .innerJoin('release_files as files', join => join.on(ofRelease))
    .where('releases.dataset', '=', dataset)
    .where('retired_at', 'is', null)
    .selectAll('releases')
    .select(['current_number', 'current_since', 'files.name', 'bytes', 'sha256', 'digest', 'filled'])
    .orderBy('releases.number', 'desc')
    .execute()
  return rows.map(({ name, sha256, digest, current_number, current_since, published_at, ...row }) => ({
    name,
    sha256,
    digest,
    release: {
      dataset,
      number: row.number,
      hash: row.hash,
      rows: row.rows,
      publishedAt: published_at,
      currentSince: row.number === current_number ? current_since : null,
      source: row.source,
      synthetic: row.synthetic === 1,
      changes: { added: row.added, changed: row.changed, removed: row.removed },
      ...notOfSource(row.held_back),
      filled: row.filled === null ? undefined : JSON.parse(row.filled),
      bytes: row.bytes === null ? null : Number(row.bytes),
    },
  }))
}

type NotOfSource = Pick<Release, 'heldBack' | 'corrected'>

/** The values of a release that are not those of its source, as the column `held_back` has them. */
function notOfSource(json: string | null): NotOfSource {
  const all: readonly (HeldBack | Corrected)[] = json === null ? [] : JSON.parse(json)
  const corrected = all.filter((one): one is Corrected => 'field' in one)
  const heldBack = all.filter((one): one is HeldBack => !('field' in one))
  const some: NotOfSource = { heldBack: heldBack.length === 0 ? undefined : heldBack }
  return corrected.length === 0 ? some : { ...some, corrected }
}

/** One release of a dataset. Throws {@link UnknownReleaseError}. */
export async function keptRelease(registry: Registry, dataset: string, number: number): Promise<KeptRelease> {
  const kept = await keptReleases(registry, dataset)
  const found = kept.find(({ release }) => release.number === number)
  if (found !== undefined) return found
  const numbers = kept.map(({ release }) => release.number).join(', ') || 'none'
  throw new UnknownReleaseError(`${dataset} has no release ${number}; kept: ${numbers}`)
}

/**
 * The registry's row of a release. After a fail-over another release may have this number. Throws {@link
 * StoreUnusableError} then: the next read of the current release returns the other one.
 */
export async function sameRelease(
  registry: Registry,
  { dataset, number, hash }: Release,
): Promise<KeptRelease> {
  const kept = await keptRelease(registry, dataset, number)
  if (kept.release.hash === hash) return kept
  throw new StoreUnusableError(`release ${number} of ${dataset} is another one now: try again`)
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

type Entry = Pick<ReleaseColumns, 'dataset' | 'number' | 'hash' | 'rows'> & Pick<FileRow, 'digest'>

/** Registers a release, makes it current and retires the oldest ones, in the caller's transaction. */
export async function enterRelease(
  transaction: Registry,
  insert: InsertRows,
  { digest, ...entry }: Entry,
  file: PlacedFile,
  { source, synthetic, changes, firstSeen, heldBack = [], corrected = [], filled, note }: PublishDetails,
  keep = KEPT_RELEASES,
): Promise<void> {
  const { dataset, number } = entry
  const now = new Date()
  const [days, newest] = keep.endsWith('d') ? [Number.parseInt(keep, 10), 2] : [0, Number(keep)]
  const published_at = now.toISOString()
  await transaction
    .insertInto('releases')
    .values({
      ...entry,
      locator: file.name,
      published_at,
      source,
      synthetic: synthetic ? 1 : 0,
      ...changes,
      held_back:
        heldBack.length + corrected.length === 0 ? null : JSON.stringify([...heldBack, ...corrected]),
    })
    .execute()
  await enterFile(transaction, { dataset, number, digest }, file, filled)
  const state = { last_number: number, current_number: number, current_since: published_at }
  await transaction
    .insertInto('datasets')
    .values({ name: dataset, ...state })
    .onConflict(conflict => conflict.column('name').doUpdateSet(state))
    .execute()
  await raiseRevision(transaction, 'revision')
  // A stored time is never replaced.
  const seen = Array.from(firstSeen, ([id, seen]) => ({ dataset, id: escapeText(id), seen }))
  if (seen.length > 0) await insert(transaction, 'first_seen', seen)
  await transaction
    .updateTable('releases')
    .set({ retired_at: now.getTime() })
    .where('dataset', '=', dataset)
    .where('retired_at', 'is', null)
    .where('published_at', '<=', new Date(now.getTime() - days * DAY_MS).toISOString())
    .where('number', 'not in', ({ selectFrom }) =>
      selectFrom('releases')
        .where('dataset', '=', dataset)
        .select('number')
        .orderBy('number', 'desc')
        .limit(newest),
    )
    .execute()
  const { event = 'published', actor = runBy('a program'), detail, counts } = note ?? {}
  const report = note?.report(number)
  await addEntry(transaction, {
    dataset,
    event,
    actor,
    release: number,
    source,
    hash: entry.hash,
    detail,
    report,
    counts,
  })
}

/** Registers the content of a release, in the caller's transaction. */
export async function enterFile(
  transaction: Registry,
  entry: Pick<FileRow, 'dataset' | 'number' | 'digest'>,
  file: PlacedFile,
  filled?: ReadonlyMap<string, number>,
): Promise<void> {
  await transaction
    .insertInto('release_files')
    .values({
      ...entry,
      ...file,
      filled: filled === undefined ? null : JSON.stringify(Object.fromEntries(filled)),
    })
    .execute()
}

/** Makes a registered release current, in the caller's transaction. */
export async function changeCurrent(transaction: Registry, dataset: string, number: number): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set({ current_number: number, current_since: new Date().toISOString() })
    .where('name', '=', dataset)
    .execute()
  await raiseRevision(transaction, 'revision')
}

/** Deletes the rows of releases that were pruned long enough ago; nobody needs their content any more. */
export async function forgetRetired(registry: Registry): Promise<void> {
  await registry
    .deleteFrom('releases')
    .where('retired_at', '<=', Date.now() - RETIRED_MS)
    .execute()
  await registry
    .deleteFrom('release_files as files')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('releases').select('number').where(ofRelease))),
    )
    .execute()
}

/** When each id of a dataset was first seen. */
export async function readFirstSeen(registry: Registry, dataset: string): Promise<Map<string, string>> {
  const rows = await registry
    .selectFrom('first_seen')
    .where('dataset', '=', dataset)
    .select(['id', 'seen'])
    .execute()
  return new Map(rows.map(({ id, seen }) => [unescapeText(id), seen]))
}
