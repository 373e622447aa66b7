import type { StoredRecord } from '../../query/query.ts'
import { createColumns } from '../../sources/columns.ts'
import { openSource } from '../../sources/rows.ts'
import { contentOf, digestOf, releaseHash } from '../../store/encoding/content.ts'
import type { Changes, OpenRelease, Release, Store } from '../../store/store.ts'
import { createDigestCounts } from '../../values/digest-counts.ts'
import { storedKey } from '../import/identity.ts'
import type { ImportOptions } from '../import/import.ts'
import { type Importable, requiredFields } from '../import/importable.ts'
import { createStatistics, type ImportReport, type Progress, reported } from '../import/report.ts'
import { stageRows } from '../import/staging-rows.ts'
import { createSpool, type Spool } from './spool.ts'

/** Two releases of a dataset. */
export interface Sides {
  readonly from: Release
  readonly to: Release
}

/** The two sides of a comparison, and its options. */
export interface DiffOptions {
  readonly store: Store
  readonly dataset: Importable
  readonly from: Release
  readonly to: Release | ComparedSource
  /** The fields to compare and show, including the field that identifies a record; all fields if absent. */
  readonly fields?: readonly string[] | undefined
  /** Stops the reading of releases, which rejects with the signal's reason. */
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
type ComparedSource = Pick<ImportOptions, 'source' | 'input' | 'map' | 'reading' | 'corrections'>

/** The source as it was read, in the form of an import's report. */
interface SourceReport
  extends Pick<ImportReport, 'source' | 'ignoredColumns' | keyof ReturnType<typeof reported>> {
  /** The hash of the release that an import would make. */
  readonly hash: string
}

/** Hands over the records that an import of a source would publish. Throws `Refusal` for a source that cannot be read. */
async function readSourceRecords(
  { source, input, map, reading, corrections }: ComparedSource,
  { store, dataset, onProgress }: DiffOptions,
  take: TakeRecord,
): Promise<SourceReport> {
  const statistics = createStatistics()
  const hash = releaseHash()
  const columns = createColumns(dataset, map, requiredFields(dataset))
  const opened = await openSource(source, input, reading)
  await stageRows(opened.rows(columns), {
    store,
    dataset,
    statistics,
    corrections,
    now: new Date().toISOString(),
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

/** A record with the same key on both sides, and different fields. */
export interface Change {
  readonly key: string
  readonly from: StoredRecord
  readonly to: StoredRecord
}

/**
 * The records that differ between two lists, read again each time. They have the newer list's order if they fit in
 * memory.
 */
export type Differences = ReturnType<typeof differencesIn>

/** Takes a record of the newer list. `content` is its canonical text, if known. */
type TakeRecord = (key: string, record: StoredRecord, content?: string) => void

/**
 * Compares two lists of records by key and content, as the store does for an import. Keys and contents may repeat.
 * Unmatched records with the same key on both sides form pairs of changed records; the others were added or removed.
 * `before` is read twice. `readAfter` hands over every record of the newer list once, and its result is passed on.
 * Memory holds a digest of each older record and a bounded part of the differences.
 */
export async function findDifferences<T>(
  before: { readonly rows: number; records(): AsyncIterable<StoredRecord> },
  keyOf: (record: StoredRecord) => string,
  readAfter: (take: TakeRecord) => Promise<T>,
): Promise<{ readonly differences: Differences; readonly after: T }> {
  const unmatched = createDigestCounts(before.rows)
  const spool = createSpool()
  try {
    for await (const record of before.records()) unmatched.add(digestOf(contentOf(record)))
    const after = await readAfter((key, record, content = contentOf(record)) => {
      if (!unmatched.take(digestOf(content))) spool.add(key, lineOf(key, 'to', content))
    })
    if (unmatched.left > 0)
      for await (const record of before.records()) {
        const content = contentOf(record)
        if (!unmatched.take(digestOf(content))) continue
        const key = keyOf(record)
        spool.add(key, lineOf(key, 'from', content))
      }
    return { after, differences: differencesIn(spool, await count(spool)) }
  } catch (error) {
    spool.close()
    throw error
  }
}

type Side = 'from' | 'to'

/** Keys and JSON texts contain no tab. */
const SEPARATOR = '\t'

const lineOf = (key: string, side: Side, content: string) => [key, side, content].join(SEPARATOR)

const recordOf = (content: string): StoredRecord => JSON.parse(content)

function differencesIn(spool: Spool, counts: Changes) {
  const read = <T>(kind: keyof Changes, pick: (group: Group) => Iterable<T>) =>
    async function* () {
      if (counts[kind] === 0) return
      for await (const group of groupsIn(spool)) yield* pick(group)
    }
  return {
    counts,
    added: read('added', ({ from, to }) => to.slice(from.length).map(recordOf)),
    /** In the older list's order. */
    removed: read('removed', ({ from, to }) => from.slice(to.length).map(recordOf)),
    changed: read('changed', function* ({ key, from, to }): Generator<Change> {
      for (const [index, content] of to.entries()) {
        const other = from[index]
        if (other !== undefined) yield { key, from: recordOf(other), to: recordOf(content) }
      }
    }),
    /** Frees the temporary file, if any. */
    close: spool.close,
  }
}

async function count(spool: Spool): Promise<Changes> {
  const counts = { added: 0, changed: 0, removed: 0 }
  for await (const { from, to } of groupsIn(spool)) {
    const pairs = Math.min(from.length, to.length)
    counts.added += to.length - pairs
    counts.changed += pairs
    counts.removed += from.length - pairs
  }
  return counts
}

/** The unmatched records of one key, as text. Each is parsed only when it is taken, so that it soon becomes garbage. */
interface Group {
  readonly key: string
  readonly from: string[]
  readonly to: string[]
}

async function* groupsIn(spool: Spool): AsyncGenerator<Group> {
  for await (const lines of spool.parts()) {
    const groups = new Map<string, Group>()
    for (const line of lines) {
      const [key = '', side] = line.split(SEPARATOR, 2)
      const group = groups.get(key) ?? { key, from: [], to: [] }
      groups.set(key, group)
      const of = side === 'from' ? side : 'to'
      group[of].push(line.slice(lineOf(key, of, '').length))
    }
    yield* groups.values()
  }
}
