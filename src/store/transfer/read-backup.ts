import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
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
import { splitLines } from './split-lines.ts'

/** A backup file that is open for reading. */
export interface OpenBackup extends Dump {
  readonly bytesTotal: number
  bytesRead(): number
  /** Of its content; known once its tables were read to the end. */
  sha256(): string
}

/**
 * Opens a backup file. Its releases are checked against their hashes as they are read, and the whole against its last line
 * once the tables end. Throws {@link DamagedBackupError} with the number of the line, then and before.
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

  const damaged = (what: string) => new DamagedBackupError(`${path}, line ${number}: ${what}; ${ANOTHER}`)

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
      value = JSON.parse(line.toString())
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
  }

  async function* records(): AsyncGenerator<RecordBatch> {
    for (; isRecords(value); await advance()) yield recordBatch(value)
    if (!isEnd(value)) throw damaged('it is not the end of the release, so the file was altered')
    const { damaged: why } = value.end
    await advance()
    if (why !== null) throw new DamagedReleaseError(why)
  }
  async function* rows() {
    for (; isRows(value); await advance()) yield value
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
        const entry: ReleaseEntry = { row: value.release, digest: value.digest }
        const { dataset, number } = entry.row
        const layout = datasets.find(({ name }) => name === dataset)?.layout
        const differ = (what: string) =>
          damaged(`release ${number} of ${dataset} ends before it, but ${what}`)
        await advance()
        yield { entry, records: () => checked(records(), entry, layout, differ) }
      }
    },
    async *tables() {
      while (isTable(value)) {
        const { table, columns } = value
        await advance()
        yield { name: table, columns, rows }
      }
      await end()
    },
    async close() {
      content.destroy()
    },
  }
}

const ANOTHER = 'use another backup'

/** The file's own errors keep their words. */
function explained(error: NodeJS.ErrnoException, damaged: (what: string) => Error): unknown {
  if (error.code === 'Z_BUF_ERROR') return damaged('the file is cut off here')
  if (error.message === 'incorrect header check') return damaged('it is not gzip, so the file is no backup')
  if (error.code?.startsWith('Z_') || error instanceof RangeError)
    return damaged(`the file was altered (${error.message})`)
  return error
}
