import { type Layout, recordCheck, type TableLayout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { dayTimestamp } from '../../values/day-number.ts'
import type { Migrated } from '../engine.ts'
import { type BuiltRelease, buildRelease } from '../registry/build-release.ts'
import { enterFile } from '../registry/releases.ts'
import { raiseRevision } from '../registry/revision.ts'
import type { Registry } from '../registry/tables.ts'
import type { ReleaseWriter } from '../registry/writer.ts'
import type { StoredDataset } from '../store.ts'
import { DamagedReleaseError, OldStoreError } from '../store.ts'

/*
 * Taking over a store of an earlier version of the service, which kept the records of releases as rows. Its releases are written in
 * the form of this version beside what is there. Nothing of the earlier form is changed, so that version can go on with it. This
 * folder is all that knows the earlier form.
 */

/** The last version of the schema under which records were rows. */
export const EARLIER_VERSION = 3

/** A release of the earlier form. */
export interface EarlierRelease {
  readonly dataset: string
  readonly number: number
  readonly rows: number
  readonly locator: string
}

/** What an engine gives to take over its releases. */
export interface EarlierStore {
  readonly registry: Registry
  /** Whether this version can open it already: it was taken over, and the earlier version went on with it. */
  readonly isOpenable: boolean
  /** Verifies a release and gives its records in stored order. Throws {@link DamagedReleaseError}. */
  records(release: EarlierRelease, layout: Layout): AsyncIterable<StoredRecord>
  readonly startRelease: ReleaseWriter['startRelease']
  /** Runs work in one transaction, in which the schema has the table of release files. */
  write(work: (transaction: Registry) => Promise<void>): Promise<void>
}

/** The releases that are kept and have no file yet. `hasFiles` says whether there is a table of them. */
export async function earlierReleases(registry: Registry, hasFiles: boolean): Promise<EarlierRelease[]> {
  const kept = registry
    .selectFrom('releases')
    .select(['releases.dataset', 'releases.number', 'rows', 'locator'])
    .where('retired_at', 'is', null)
    .orderBy('releases.dataset')
    .orderBy('releases.number')
  if (!hasFiles) return kept.execute()
  return kept
    .leftJoin('release_files as files', join =>
      join.onRef('files.dataset', '=', 'releases.dataset').onRef('files.number', '=', 'releases.number'),
    )
    .where('files.name', 'is', null)
    .execute()
}

/** Writes the releases in the form of this version, and registers them at once. A damaged one is left out. */
export async function takeOver(
  { registry, isOpenable, records, startRelease, write }: EarlierStore,
  releases: readonly EarlierRelease[],
  datasets: readonly StoredDataset[],
  onPhase: (phase: string) => void,
): Promise<Migrated['releases']> {
  const taken: (BuiltRelease & { readonly release: EarlierRelease })[] = []
  const report: { dataset: string; number: number; failure?: string }[] = []

  try {
    for (const release of releases) {
      const { dataset, number } = release
      onPhase(`taking over release ${number} of ${dataset}`)
      try {
        const stored = datasetOf(release, datasets)
        const content = readWhole(records, release, stored.layout)
        taken.push({ release, ...(await buildRelease({ startRelease }, stored, number, content)) })
        report.push({ dataset, number })
      } catch (error) {
        report.push({ dataset, number, failure: damageOf(error) })
      }
    }
    await write(async transaction => {
      // Instances that serve it learn of more releases by the revision.
      if (isOpenable && taken.length > 0) await raiseRevision(transaction, 'revision')
      for (const { release, file, measures } of taken) {
        const { dataset, number } = release
        await enterFile(transaction, { dataset, number, digest: measures.digest }, file)
      }
    })
    return report
  } catch (error) {
    for (const { remove } of taken) await remove().catch(() => undefined)
    throw error
  } finally {
    await registry.destroy()
  }
}

function datasetOf({ dataset }: EarlierRelease, datasets: readonly StoredDataset[]): StoredDataset {
  const found = datasets.find(({ name }) => name === dataset)
  if (found === undefined) throw new DamagedReleaseError('this version of the service has no such dataset')
  return found
}

/** Reads a release whole. Throws {@link DamagedReleaseError}, TypeError or RangeError unless it is as it was published. */
async function* readWhole(
  records: EarlierStore['records'],
  release: EarlierRelease,
  layout: Layout,
): AsyncGenerator<StoredRecord> {
  let read = 0
  const check = layout.kind === 'table' ? recordCheck(layout) : () => {}
  for await (const record of records(release, layout)) {
    check(record)
    yield record
    read++
  }
  if (read !== release.rows)
    throw new DamagedReleaseError(`it has ${read} rows and was published with ${release.rows}`)
}

/** Parses a record of a list. Throws {@link DamagedReleaseError}. */
export function parseRecord(content: string): StoredRecord {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new DamagedReleaseError('it has a record that is not JSON', { cause: error })
  }
}

/**
 * Throws {@link OldStoreError} if a release that can be taken over is not: without the earlier form it would be lost. Those that
 * {@link takeOver} leaves out do not matter.
 */
export async function refuseUntaken(
  records: EarlierStore['records'],
  releases: readonly EarlierRelease[],
  datasets: readonly StoredDataset[],
): Promise<void> {
  for (const release of releases)
    if (await isIntact(records, release, datasets))
      throw new OldStoreError(`release ${release.number} of ${release.dataset}`)
}

async function isIntact(
  records: EarlierStore['records'],
  release: EarlierRelease,
  datasets: readonly StoredDataset[],
): Promise<boolean> {
  try {
    const { layout } = datasetOf(release, datasets)
    for await (const _record of readWhole(records, release, layout));
    return true
  } catch (error) {
    damageOf(error)
    return false
  }
}

/** What is wrong with a release that cannot be taken over. Throws any other error again. */
function damageOf(error: unknown): string {
  if (error instanceof DamagedReleaseError) return error.message
  if (error instanceof TypeError || error instanceof RangeError)
    return `it has a record that cannot be stored: ${error.message}`
  throw error
}

/** Decodes a row of the earlier form: words by their codes, days since 1970-01-01, digests as bytes. */
export function recordOf(
  { columns }: TableLayout,
  row: Readonly<Record<string, unknown>>,
  words: ReadonlyMap<string, ReadonlyMap<number, string>>,
): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const { name, type } of columns) {
    const cell = row[name]
    if (type === 'word') record[name] = wordOf(words.get(name), Number(cell))
    else if (type === 'day') record[name] = cell === null ? null : dayTimestamp(Number(cell))
    else if (type === 'digest') record[name] = Buffer.from(cell as Uint8Array).toString('hex')
    else record[name] = cell
  }
  return record
}

function wordOf(words: ReadonlyMap<number, string> | undefined, code: number): string {
  const word = words?.get(code)
  if (word === undefined) throw new DamagedReleaseError('it has a code without a word')
  return word
}
