import { VERSION } from '../../version.ts'
import { DamagedReleaseError } from '../store.ts'
import {
  FORMAT,
  FORMAT_VERSION,
  LONGEST_REASON,
  type MarkerLine,
  type ReleaseColumns,
} from './backup-format.ts'
import type { Dump } from './dump.ts'
import { LONGEST_LINE } from './split-lines.ts'
import { type Carried, type CarryOptions, createTally } from './tally.ts'

/** Writes a dump as the lines of a backup file, except for the last line. Returns what they hold. */
export async function* backupLines(dump: Dump, options: CarryOptions): AsyncGenerator<Buffer, Carried> {
  const { carried, progress, addRelease, addMissing, addRows } = createTally(options)
  yield marker({ format: FORMAT, version: FORMAT_VERSION, service: VERSION, ...dump.header })
  for await (const { entry, records } of dump.releases()) {
    const { row, digest } = entry
    let damaged: string | null = null
    yield marker({ release: row, digest })
    try {
      for await (const { contents } of records()) {
        yield* lists(contents, row)
        progress(contents.length)
      }
      addRelease(row)
    } catch (error) {
      damaged = addMissing(row, error).slice(0, LONGEST_REASON)
    }
    yield marker({ end: { damaged } })
  }
  for await (const { name, columns, rows } of dump.tables()) {
    yield marker({ table: name, columns: [...columns] })
    addRows(name, 0)
    for await (const batch of rows()) {
      yield* lists(batch.map(row => JSON.stringify(row)))
      addRows(name, batch.length)
    }
  }
  return carried
}

/** Reads a dump to its end, which checks it. */
export async function readThrough(dump: Dump, options: CarryOptions): Promise<Carried> {
  const lines = backupLines(dump, options)
  for (;;) {
    const { value, done } = await lines.next()
    if (done) return value
  }
}

/** Lines of lists of JSON texts, each as long as a line may be. */
function* lists(texts: readonly string[], release?: ReleaseColumns): Generator<Buffer> {
  let [first, length] = [0, 0]
  const list = (end: number) => Buffer.from(`[${texts.slice(first, end).join(',')}]\n`)
  for (const [at, text] of texts.entries()) {
    // With the comma, or the brackets and the line feed.
    const bytes = Buffer.byteLength(text) + 1
    if (bytes + 2 > LONGEST_LINE) throw tooLong(release)
    if (length + bytes + 2 > LONGEST_LINE) {
      yield list(at)
      ;[first, length] = [at, 0]
    }
    length += bytes
  }
  yield list(texts.length)
}

const tooLong = (release?: ReleaseColumns): Error =>
  release === undefined
    ? new Error(`a row of the registry has more than ${LONGEST_LINE} bytes`)
    : new DamagedReleaseError(
        `release ${release.number} of ${release.dataset} has a record of more than ${LONGEST_LINE} bytes`,
      )

export const marker = (value: MarkerLine): Buffer => line(value)

const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
