import type { StoredRecord } from '../../query/query.ts'
import { createColumns } from '../../sources/columns.ts'
import { openSource } from '../../sources/rows.ts'
import { contentOf, releaseHash } from '../../store/encoding/content.ts'
import type { OpenRelease, Release, Store } from '../../store/store.ts'
import { storedKey } from '../import/identity.ts'
import type { ImportOptions } from '../import/import.ts'
import { type Importable, requiredFields } from '../import/importable.ts'
import { createStatistics, type ImportReport, type Progress, reported } from '../import/report.ts'
import { stageRows } from '../import/staging-rows.ts'
import { type Differences, findDifferences, type TakeRecord } from './differences.ts'

/** Two releases of a dataset. */
export interface Sides {
  readonly from: Release
  readonly to: Release
}

/** What is compared. */
export interface DiffOptions {
  readonly store: Store
  readonly dataset: Importable
  readonly from: Release
  readonly to: Release | ComparedSource
  /** The fields that are compared and shown, among them what identifies a record; all where absent. */
  readonly fields?: readonly string[] | undefined
  /** Ends the reading of releases: rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
}

/** How a dataset differs between two releases, or between a release and a source. */
export interface Diff {
  readonly from: Release
  readonly to: Release | SourceReport
  readonly differences: Differences
}

/**
 * Compares a release with another one or with a source; publishes nothing and needs no lock. Equal releases are not read.
 * The diff can be read until `use` has ended. Throws `Refusal` for a source that cannot be read.
 */
export async function withDiff<T>(options: DiffOptions, use: (diff: Diff) => Promise<T>): Promise<T> {
  const { store, dataset, from, to } = options
  const areEqual = 'number' in to && to.hash === from.hash
  const keyOf = storedKey(dataset)

  async function recordsOf(release: Release): Promise<OpenRelease['records']> {
    if (areEqual) return async function* () {}
    options.onProgress?.({
      rows: 0,
      bytesRead: 0,
      bytesTotal: null,
      phase: `reading release ${release.number}`,
    })
    const { records } = await store.releases.open(release, dataset.layout)
    return () => readRecords(records(), options)
  }

  const before = { rows: from.rows, records: await recordsOf(from) }
  const { differences, after } = await findDifferences(before, keyOf, async take => {
    if (!('number' in to)) return readSourceRecords(to, options, take)
    const records = await recordsOf(to)
    for await (const record of records()) take(keyOf(record), record)
    return to
  })
  return use({ from, to: after, differences }).finally(differences.close)
}

/** The records with the fields that are compared, until the signal is aborted. */
async function* readRecords(
  records: AsyncIterable<StoredRecord>,
  { fields, signal }: DiffOptions,
): AsyncGenerator<StoredRecord> {
  for await (const record of records) {
    signal?.throwIfAborted()
    yield fields === undefined ? record : Object.fromEntries(fields.map(field => [field, record[field]]))
  }
}

/** A source to compare with a release. */
type ComparedSource = Pick<ImportOptions, 'source' | 'input' | 'map' | 'reading'>

/** What was read of a source, as the report of an import has it. */
interface SourceReport
  extends Pick<ImportReport, 'source' | 'ignoredColumns' | keyof ReturnType<typeof reported>> {
  /** The hash of the release that an import would make of it. */
  readonly hash: string
}

/** Hands over the records that an import of a source would publish. Throws `Refusal` where it would read none. */
async function readSourceRecords(
  { source, input, map, reading }: ComparedSource,
  { store, dataset, onProgress }: DiffOptions,
  take: TakeRecord,
): Promise<SourceReport> {
  const statistics = createStatistics()
  const hash = releaseHash()
  const columns = createColumns(dataset, map, requiredFields(dataset))
  const opened = await openSource(source, input, reading)
  await stageRows(opened.rows(columns), {
    ...{ store, dataset, statistics, now: new Date().toISOString() },
    listSeparator: reading?.listSeparator,
    staging: {
      append(key, record, json) {
        const content = json ?? contentOf(record)
        hash.add(content)
        take(key, record, content)
        return undefined
      },
    },
    onBatch: () =>
      onProgress?.({ rows: statistics.read, bytesRead: opened.bytesRead(), bytesTotal: opened.bytesTotal }),
  })
  return { source, hash: hash.digest(), ...reported(statistics), ignoredColumns: [...columns.ignored.keys()] }
}
