import { createHash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'
import { cut } from '../../values/text.ts'
import { contentOf, type Measures, measureRecords } from '../encoding/content.ts'
import type { TableName } from '../registry/columns.ts'
import type { ReleaseColumns, Row } from '../registry/tables.ts'
import { DamagedBackupError, DamagedReleaseError, type StoredDataset } from '../store.ts'
import {
  FORMAT_VERSION,
  type Header,
  isEnd,
  isHeader,
  isLast,
  isRecords,
  isRelease,
  isRows,
  isTable,
  requireSame,
} from './backup-file.ts'
import { createRegistryCheck, ELSEWHERE, shown } from './registry-check.ts'
import type { Tally } from './tally.ts'

/** A backup that is read once from start to end: first `releases`, then `tables`. */
export interface BackupReader {
  readonly header: Pick<Header, 'engine' | 'schema' | 'at'>
  /** Hands over each release; `take` reads all records. */
  releases(take: TakeRelease): Promise<void>
  /** Hands over the rows of the other tables. Resolves to the SHA-256 of the content once the last line has proven it. */
  tables(insert: (table: TableName, rows: readonly Row[]) => Promise<void>): Promise<string>
}

type TakeRelease = (
  row: ReleaseColumns,
  dataset: StoredDataset,
  records: AsyncIterable<StoredRecord>,
) => Promise<Measures>

/** Reads a backup without keeping content. */
export async function checkLines({ releases, tables }: BackupReader): Promise<string> {
  await releases(async (_row, _dataset, records) => {
    const measured = measureRecords()
    for await (const record of records) measured.add(contentOf(record))
    return measured.end()
  })
  return tables(async () => {})
}

/** Options for reading a backup. */
interface ReadOptions {
  /** Names the backup in messages. */
  readonly name: string
  readonly datasets: readonly StoredDataset[]
  readonly tally: Tally
}

/**
 * Starts to read the lines of a backup. Checks every value, the hash of each release, and the whole against the last line. All
 * functions throw {@link DamagedBackupError} with the number of the line.
 */
export async function openLines(
  lines: AsyncGenerator<Buffer>,
  { name: path, datasets, tally }: ReadOptions,
): Promise<BackupReader> {
  const hash = createHash('sha256')
  let number = 0
  let line: Buffer | undefined
  /** The value of the current line. */
  let value: unknown

  const damaged = (what: string, remedy = 'use another backup') =>
    new DamagedBackupError(`${path}, line ${number}: ${what}; ${remedy}`)
  const registry = createRegistryCheck(damaged)

  async function nextLine(): Promise<Buffer | undefined> {
    number++
    try {
      const next = await lines.next()
      return next.done ? undefined : next.value
    } catch (error) {
      throw error instanceof DamagedBackupError ? damaged(error.message) : error
    }
  }
  /** Hashes the current line and goes on to the next. */
  async function advance(): Promise<void> {
    if (line !== undefined) hash.update(line)
    line = await nextLine()
    if (line === undefined) throw damaged('the file is cut off here')
    try {
      value = JSON.parse(UTF_8.decode(line))
    } catch {
      throw damaged('it is not JSON, so the file was altered')
    }
  }

  async function* records(rows: number, { check }: StoredDataset): AsyncGenerator<StoredRecord> {
    for (let read = 0; isRecords(value); await advance()) {
      for (const record of value) {
        if (++read > rows)
          throw damaged(`the release has more records than the ${rows} it was published with`)
        const wrong = check(record)
        if (wrong !== undefined)
          throw damaged(`record ${read} of the release cannot be kept: ${cut(wrong, 200)}`)
        yield record
      }
      tally.progress(value.length)
    }
    if (!isEnd(value)) throw damaged('it is not the end of the release, so the file was altered')
    const { damaged: why } = value.end
    await advance()
    if (why !== null) throw new DamagedReleaseError(why)
  }

  await advance()
  if (!isHeader(value)) throw damaged('it is not the header of a backup')
  const { version, service, engine, schema, at } = value
  if (version > FORMAT_VERSION)
    throw new DamagedBackupError(
      `${path} has a later format than this version reads: use version ${service} of the service`,
    )
  await advance()
  return {
    header: { engine, schema, at },
    async releases(take) {
      while (isRelease(value)) {
        const { digest } = value
        const row = registry.release(value.release)
        const dataset = datasets.find(one => one.name === row.dataset)
        if (dataset === undefined)
          throw damaged(`there is no place for the dataset ${shown(row.dataset)}`, ELSEWHERE)
        await advance()
        try {
          const found = await take(row, dataset, records(row.rows, dataset))
          requireSame(row, digest, dataset, found, what =>
            damaged(`release ${row.number} of ${row.dataset} ends before it, but ${what}`),
          )
          tally.addRelease(row)
        } catch (error) {
          tally.addMissing(row, error)
        }
      }
    },
    async tables(insert) {
      while (isTable(value)) {
        const { table, rowOf } = registry.table(value.table, value.columns)
        await advance()
        tally.addRows(table, 0)
        for (; isRows(value); await advance()) {
          await insert(table, value.map(rowOf))
          tally.addRows(table, value.length)
        }
      }
      if (!isLast(value)) throw damaged('it must not follow here, so the file was altered')
      const sha256 = hash.digest('hex')
      if (value.sha256 !== sha256)
        throw damaged(`the lines before it have another SHA-256, ${sha256}, so the file was altered`)
      if ((await nextLine()) !== undefined) throw damaged('the file goes on after its last line')
      registry.end()
      return sha256
    },
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
