import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { cut } from '../../values/text.ts'
import { DamagedBackupError, DamagedReleaseError } from '../store.ts'
import {
  FORMAT_VERSION,
  isEnd,
  isHeader,
  isLast,
  isRecords,
  isRelease,
  isRows,
  isTable,
} from './backup-format.ts'
import type { Dump, RecordBatch, ReleaseEntry, StoredDataset } from './dump.ts'
import { checked, recordBatch } from './record-digest.ts'
import { createRegistryCheck, ELSEWHERE, shown } from './registry-check.ts'
import { splitLines } from './split-lines.ts'

/** A backup file that is open for reading. */
export interface OpenBackup extends Dump {
  readonly bytesTotal: number
  bytesRead(): number
  /** Of its content; known once its tables were read to the end. */
  sha256(): string
}

/**
 * Opens a backup file. Every value is checked as it is read, each release against its hash, and the whole against its last
 * line once the tables end. Throws {@link DamagedBackupError} with the number of the line, then and before.
 */
export async function openBackup(path: string, datasets: readonly StoredDataset[]): Promise<OpenBackup> {
  const { size } = await stat(path)
  const file = createReadStream(path)
  const content = pipeline(file, createGunzip(), () => {})
  const lines = splitLines(content)
  const hash = createHash('sha256')
  let sha256 = ''
  let number = 0
  let line: Buffer | undefined
  /** What the current line holds. */
  let value: unknown

  const damaged = (what: string, remedy = ANOTHER) =>
    new DamagedBackupError(`${path}, line ${number}: ${what}; ${remedy}`)
  const registry = createRegistryCheck(damaged)

  async function nextLine(): Promise<Buffer | undefined> {
    number++
    try {
      const next = await lines.next()
      return next.done ? undefined : next.value
    } catch (error) {
      throw explained(error as NodeJS.ErrnoException, damaged)
    }
  }
  /** Goes on to the next line, and hashes the one that is left. */
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
  async function end(): Promise<void> {
    if (!isLast(value)) throw damaged('it is none that may follow here, so the file was altered')
    sha256 = hash.digest('hex')
    if (value.sha256 !== sha256)
      throw damaged(`the lines before it have the SHA-256 ${sha256} and not its own, so the file was altered`)
    if ((await nextLine()) !== undefined) throw damaged('the file goes on after its last line')
    registry.end()
  }

  async function* records(rows: number, { check }: StoredDataset): AsyncGenerator<RecordBatch> {
    for (let read = 0; isRecords(value); await advance()) {
      for (const record of value) {
        if (++read > rows)
          throw damaged(`the release has more records than the ${rows} it was published with`)
        const wrong = check(record)
        if (wrong !== undefined)
          throw damaged(`record ${read} of the release cannot be kept: ${cut(wrong, 200)}`)
      }
      yield recordBatch(value)
    }
    if (!isEnd(value)) throw damaged('it is not the end of the release, so the file was altered')
    const { damaged: why } = value.end
    await advance()
    if (why !== null) throw new DamagedReleaseError(why)
  }
  async function* rows(check: ReturnType<typeof registry.table>) {
    for (; isRows(value); await advance()) yield value.map(check)
  }

  async function header(): Promise<Dump['header']> {
    await advance()
    if (!isHeader(value)) throw damaged('it is not the header of a backup')
    const { version, service, engine, schema, at } = value
    if (version > FORMAT_VERSION)
      throw new DamagedBackupError(
        `${path} has a later format than this version reads: use version ${service} of the service`,
      )
    await advance()
    return { engine, schema, at }
  }

  return {
    header: await header(),
    bytesTotal: size,
    bytesRead: () => file.bytesRead,
    sha256: () => sha256,
    async *releases() {
      while (isRelease(value)) {
        const entry: ReleaseEntry = { row: registry.release(value.release), digest: value.digest }
        const { dataset: name, number, rows } = entry.row
        const dataset = datasets.find(one => one.name === name)
        if (dataset === undefined)
          throw damaged(`there is no place for the dataset ${shown(name)}`, ELSEWHERE)
        const differ = (what: string) => damaged(`release ${number} of ${name} ends before it, but ${what}`)
        await advance()
        yield { entry, records: () => checked(records(rows, dataset), entry, dataset.layout, differ) }
      }
    },
    async *tables() {
      while (isTable(value)) {
        const { table, columns } = value
        const check = registry.table(table, columns)
        await advance()
        yield { name: table, columns, rows: () => rows(check) }
      }
      await end()
    },
    async close() {
      content.destroy()
    },
  }
}

const ANOTHER = 'use another backup'
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The file's own errors keep their words. */
function explained(error: NodeJS.ErrnoException, damaged: (what: string) => Error): unknown {
  if (error.code === 'Z_BUF_ERROR') return damaged('the file is cut off here')
  if (error.message === 'incorrect header check') return damaged('it is not gzip, so the file is no backup')
  if (error.code?.startsWith('Z_')) return damaged(`the file was altered (${error.message})`)
  if (error instanceof RangeError) return damaged(`${error.message}, so the file was altered`)
  return error
}
