import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { abortable } from '../../values/promises.ts'
import { VERSION } from '../../version.ts'
import { measureRecords } from '../encoding/content.ts'
import type { RegistryMoment, StoreEngine } from '../engine.ts'
import { columnsOf, keyOf, TABLE_NAMES, type TableName } from '../registry/columns.ts'
import { keptRelease, ofRelease } from '../registry/releases.ts'
import { type Registry, type ReleaseColumns, type Row, withAnyTable } from '../registry/tables.ts'
import { DamagedReleaseError, type StoredDataset } from '../store.ts'
import { FORMAT, FORMAT_VERSION, LONGEST_LINE, LONGEST_REASON, requireSame } from './backup-file.ts'
import type { Tally } from './tally.ts'

/** A store as it was at one moment. The content of its releases remains for a while after they are pruned. */
export interface StoreMoment extends RegistryMoment, Pick<StoreEngine, 'openRelease'> {
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Options for writing a store. */
interface StoreLinesOptions {
  readonly datasets: readonly StoredDataset[]
  readonly tally: Tally
  /** The most bytes of a line. Infinite if the lines go to no file. */
  readonly longest?: number
}

/**
 * Writes a store as the lines of a backup. Leaves out a damaged release and notes it as missing. Returns the SHA-256 of the
 * content.
 */
export async function* storeLines(
  moment: StoreMoment,
  options: StoreLinesOptions,
): AsyncGenerator<Buffer, string> {
  const hash = createHash('sha256')
  for await (const line of contentLines(moment, options)) {
    hash.update(line)
    yield line
  }
  const sha256 = hash.digest('hex')
  yield lineOf({ sha256 })
  return sha256
}

async function* contentLines(
  moment: StoreMoment,
  { datasets, tally, longest = LONGEST_LINE }: StoreLinesOptions,
): AsyncGenerator<Buffer> {
  const { at, engine, schema } = moment
  yield lineOf({ format: FORMAT, version: FORMAT_VERSION, service: VERSION, at, engine, schema })
  const kept = new Set<string>()
  for (const { digest, ...row } of await releaseRows(moment)) {
    const tooLong = () =>
      new DamagedReleaseError(
        `release ${row.number} of ${row.dataset} has a record of more than ${longest} bytes`,
      )
    let damaged: string | null = null
    kept.add(`${row.dataset} ${row.number}`)
    yield lineOf({ release: row, digest })
    try {
      for await (const contents of contentsOf(moment, row, digest, datasets, tally.signal)) {
        yield* lists(contents, longest, tooLong)
        tally.progress(contents.length)
      }
      tally.addRelease(row)
    } catch (error) {
      damaged = tally.addMissing(row, error).slice(0, LONGEST_REASON)
    }
    yield lineOf({ end: { damaged } })
  }
  for (const table of TABLE_NAMES) {
    if (table === 'releases') continue
    const columns = columnsOf(table)
    const tooLong = () => new Error(`a row of the registry has more than ${longest} bytes`)
    yield lineOf({ table, columns })
    tally.addRows(table, 0)
    for await (const rows of rowsOf(moment.registry, table)) {
      const carried = table === 'datasets' ? rows.map(row => withoutLost(row, kept)) : rows
      const texts = carried.map(row => JSON.stringify(columns.map(column => row[column])))
      yield* lists(texts, longest, tooLong)
      tally.addRows(table, rows.length)
    }
  }
}

/** The rows of the kept releases. Pruned releases have content only for their last readers. */
function releaseRows({ registry }: StoreMoment) {
  const columns = columnsOf('releases').map(
    column => `releases.${column}` as `releases.${keyof ReleaseColumns}`,
  )
  return registry
    .selectFrom('releases')
    .innerJoin('release_files as files', join => join.on(ofRelease))
    .where('retired_at', 'is', null)
    .select([...columns, 'digest'])
    .orderBy('releases.dataset')
    .orderBy('releases.number')
    .execute()
}

/**
 * The canonical texts of a release's records, in stored order. Throws {@link DamagedReleaseError}, at the end at the latest,
 * if they differ from the published records. Once the signal is aborted, nobody waits for the release to open.
 */
async function* contentsOf(
  { registry, openRelease }: StoreMoment,
  row: ReleaseColumns,
  digest: string,
  datasets: readonly StoredDataset[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly string[]> {
  const release = `release ${row.number} of ${row.dataset}`
  const damaged = (what: string) => new DamagedReleaseError(`${release} is damaged: ${what}`)
  const dataset = datasets.find(({ name }) => name === row.dataset)
  if (dataset === undefined)
    throw new DamagedReleaseError(`${release} cannot be read: this version has no such dataset`)
  const opening = async () =>
    openRelease(await keptRelease(registry, row.dataset, row.number), dataset.layout)
  const { contents } = await abortable(opening(), signal)
  const measured = measureRecords()
  for await (const batch of contents()) {
    for (const content of batch) measured.add(content)
    yield batch
  }
  requireSame(row, digest, dataset, measured.end(), damaged)
}

/** Rows read by one statement. */
const ROWS_AT_ONCE = 2000

/** Reads a table in the order of its key, in batches. */
async function* rowsOf(registry: Registry, table: TableName): AsyncGenerator<Row[]> {
  const key = keyOf(table)
  const keys = sql.join(key.map(column => sql.ref(column)))
  const rows = withAnyTable(registry)
    .selectFrom(table)
    .select(columnsOf(table))
    .orderBy(keys)
    .limit(ROWS_AT_ONCE)
  for (let batch = await rows.execute(); batch.length > 0; ) {
    yield batch
    const last = batch.at(-1)
    const after = sql<boolean>`(${keys}) > (${sql.join(key.map(column => last?.[column]))})`
    batch = await rows.where(after).execute()
  }
}

/** The row of a dataset, without a current release if that one was left out of the backup. */
const withoutLost = (row: Row, kept: ReadonlySet<string>): Row =>
  kept.has(`${row.name} ${row.current_number}`) ? row : { ...row, current_number: null, current_since: null }

/** Puts JSON texts into lists, each a line as long as a line may be. */
function* lists(texts: readonly string[], longest: number, tooLong: () => Error): Generator<Buffer> {
  let [first, length] = [0, 0]
  const list = (end: number) => Buffer.from(`[${texts.slice(first, end).join(',')}]\n`)
  for (const [at, text] of texts.entries()) {
    // After each text, a comma or the closing bracket. The opening bracket and the line feed are 2 more bytes.
    const bytes = Buffer.byteLength(text) + 1
    if (bytes + 2 > longest) throw tooLong()
    if (length + bytes + 2 > longest) {
      yield list(at)
      ;[first, length] = [at, 0]
    }
    length += bytes
  }
  if (length > 0) yield list(texts.length)
}

const lineOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
