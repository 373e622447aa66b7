import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { type Layout, recordCheck, type TableLayout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { dayTimestamp } from '../../values/day-number.ts'
import { unescapeText } from '../encoding/content.ts'
import type { StoreOptions } from '../engine.ts'
import { type BuiltRelease, buildRelease } from '../registry/build-release.ts'
import { enterFile, ofRelease } from '../registry/releases.ts'
import { type Registry, raiseRevision } from '../registry/tables.ts'
import type { ReleaseWriter } from '../registry/writer.ts'
import { DamagedReleaseError, OldStoreError, type StageOptions, type StoredDataset } from '../store.ts'

/*
 * Takes over a store of an earlier version of the service, which kept the records of releases as rows. The releases are written again
 * in the new form. The earlier form stays unchanged, so the earlier version can go on using the store. Only this folder knows the
 * earlier form.
 */

/** The last version of the schema with records as rows. */
export const EARLIER_VERSION = 3

export interface MigrateOptions
  extends Pick<StageOptions, 'waitMs' | 'onWait'>,
    Pick<StoreOptions, 'tables'> {
  /** Called with the name of each step, and with each release before it is taken over. */
  readonly onPhase?: ((phase: string) => void) | undefined
}

/** The result of a migration. */
export interface Migrated {
  /** The versions of the schema before and after; 0 for a new store. */
  readonly from: number
  readonly to: number
  /** The releases, each taken over or with the reason of its failure. */
  readonly releases: readonly {
    readonly dataset: string
    readonly number: number
    readonly failure?: string
  }[]
}

/** A release of the earlier form. */
interface EarlierRelease {
  readonly dataset: string
  readonly number: number
  readonly rows: number
  readonly locator: string
}

type Cells = Readonly<Record<string, unknown>>

/** The tables of a release of the earlier form. Reading throws {@link DamagedReleaseError}. */
export interface EarlierContent {
  readonly database: QueryExecutorProvider
  table(part: string): RawBuilder<unknown>
  close(): Promise<void>
}

/** A store of an earlier version, locked against other writers of releases. */
export interface EarlierStore extends Pick<ReleaseWriter, 'startRelease'> {
  readonly registry: Registry
  /** The version of its schema, and the newest version of the schema. */
  readonly version: number
  readonly newest: number
  /** Whether this version can open it already. The earlier version may have published more releases after a take-over. */
  readonly isOpenable: boolean
  /** Opens a release. Verifies what it can without reading rows. Throws {@link DamagedReleaseError}. */
  open(release: EarlierRelease): Promise<EarlierContent>
  /** Runs work in one transaction, in which the schema has the table of release files. */
  write(work: (transaction: Registry) => Promise<void>): Promise<void>
  /** Raises the version of the schema, which only this version then opens. */
  raiseVersion(): Promise<void>
  /** Removes the content of the earlier form; resolves to the number of files or tables. */
  removeContent(): Promise<number>
}

/** Writes the releases in the new form, and registers all in one transaction. Leaves out damaged releases. */
export async function takeOver(
  store: EarlierStore,
  datasets: readonly StoredDataset[],
  onPhase: (phase: string) => void = () => {},
): Promise<Migrated> {
  const { version: from, newest: to, isOpenable } = store
  if (from === to) return { from, to, releases: [] }
  const taken: (BuiltRelease & { readonly release: EarlierRelease })[] = []
  const releases: { dataset: string; number: number; failure?: string }[] = []
  try {
    for (const release of await earlierReleases(store)) {
      const { dataset: name, number } = release
      onPhase(`taking over release ${number} of ${name}`)
      try {
        const dataset = datasetOf(release, datasets)
        const records = recordsOf(store, release, dataset.layout)
        taken.push({ release, ...(await buildRelease(store, dataset, number, records)) })
        releases.push({ dataset: name, number })
      } catch (error) {
        releases.push({ dataset: name, number, failure: damageOf(error) })
      }
    }
    await store.write(async transaction => {
      // Instances that serve the store notice the new releases by the revision.
      if (isOpenable && taken.length > 0) await raiseRevision(transaction, 'revision')
      for (const { release, file, measures } of taken) {
        const { dataset, number } = release
        await enterFile(transaction, { dataset, number, digest: measures.digest }, file)
      }
    })
    return { from, to, releases }
  } catch (error) {
    for (const { remove } of taken) await remove().catch(() => undefined)
    throw error
  }
}

/**
 * Removes the data that only the earlier version needs; resolves to whether there was any. Throws {@link OldStoreError} while an
 * intact release has not been taken over, because it would be lost. Damaged releases, which {@link takeOver} leaves out, are dropped.
 */
export async function finish(store: EarlierStore, datasets: readonly StoredDataset[]): Promise<boolean> {
  const isUnfinished = store.version < store.newest
  if (isUnfinished) {
    for (const release of await earlierReleases(store))
      if (await isIntact(store, release, datasets))
        throw new OldStoreError(`release ${release.number} of ${release.dataset}`)
    await store.raiseVersion()
  }
  return (await store.removeContent()) > 0 || isUnfinished
}

/** The kept releases without a file. */
async function earlierReleases({ registry, isOpenable }: EarlierStore): Promise<EarlierRelease[]> {
  const kept = registry
    .selectFrom('releases')
    .select(['releases.dataset', 'releases.number', 'rows', 'locator'])
    .where('retired_at', 'is', null)
    .orderBy('releases.dataset')
    .orderBy('releases.number')
  if (!isOpenable) return kept.execute()
  return kept
    .leftJoin('release_files as files', join => join.on(ofRelease))
    .where('files.name', 'is', null)
    .execute()
}

function datasetOf({ dataset }: EarlierRelease, datasets: readonly StoredDataset[]): StoredDataset {
  const found = datasets.find(({ name }) => name === dataset)
  if (found === undefined) throw new DamagedReleaseError('this version of the service has no such dataset')
  return found
}

async function isIntact(
  store: EarlierStore,
  release: EarlierRelease,
  datasets: readonly StoredDataset[],
): Promise<boolean> {
  try {
    const { layout } = datasetOf(release, datasets)
    for await (const _record of recordsOf(store, release, layout));
    return true
  } catch (error) {
    damageOf(error)
    return false
  }
}

/** Describes the fault of a release that cannot be taken over. Rethrows any other error. */
function damageOf(error: unknown): string {
  if (error instanceof DamagedReleaseError) return error.message
  if (error instanceof TypeError || error instanceof RangeError)
    return `it has a record that cannot be stored: ${error.message}`
  throw error
}

/** The records of a release in stored order. Throws an error that {@link damageOf} accepts if the release is damaged. */
async function* recordsOf(
  { open }: EarlierStore,
  release: EarlierRelease,
  layout: Layout,
): AsyncGenerator<StoredRecord> {
  const content = await open(release)
  let read = 0
  try {
    const parse = layout.kind === 'table' ? await rowParser(content, layout) : parseDocument
    for await (const cells of cellsOf(content, layout.kind === 'table' ? 'rows' : 'documents')) {
      yield parse(cells)
      read++
    }
  } finally {
    await content.close()
  }
  if (read !== release.rows)
    throw new DamagedReleaseError(`it has ${read} rows and was published with ${release.rows}`)
}

/** Rows read by one statement. */
const BATCH = 2000

async function* cellsOf({ database, table }: EarlierContent, part: string): AsyncGenerator<Cells> {
  for (let after: unknown = 0; ; ) {
    const { rows: batch } = await sql<Cells>`
      select * from ${table(part)} where position > ${after} order by position limit ${BATCH}`.execute(
      database,
    )
    yield* batch
    const last = batch.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

function parseDocument({ content }: Cells): StoredRecord {
  try {
    return JSON.parse(String(content))
  } catch (error) {
    throw new DamagedReleaseError('it has a record that is not JSON', { cause: error })
  }
}

/** Decodes rows of the earlier form: words by their codes, days since 1970-01-01, digests as bytes. */
async function rowParser(
  { database, table }: EarlierContent,
  layout: TableLayout,
): Promise<(cells: Cells) => StoredRecord> {
  const check = recordCheck(layout)
  const words = new Map<string, ReadonlyMap<unknown, string>>()
  for (const { name } of layout.columns.filter(({ type }) => type === 'word')) {
    const { rows } = await sql<Cells>`select id, value from ${table(`words_${name}`)}`.execute(database)
    words.set(name, new Map(rows.map(({ id, value }) => [id, unescapeText(String(value))])))
  }
  function decode(name: string, type: string, cell: unknown): unknown {
    if (type === 'digest') return Buffer.from(cell as Uint8Array).toString('hex')
    if (type === 'day') return cell === null ? null : dayTimestamp(Number(cell))
    if (type !== 'word') return cell
    const word = words.get(name)?.get(cell)
    if (word === undefined) throw new DamagedReleaseError('it has a code without a word')
    return word
  }
  return cells => {
    const record = Object.fromEntries(
      layout.columns.map(({ name, type }) => [name, decode(name, type, cells[name])]),
    )
    check(record)
    return record
  }
}
