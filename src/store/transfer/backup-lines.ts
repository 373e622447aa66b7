import { VERSION } from '../../version.ts'
import { FORMAT, FORMAT_VERSION, type MarkerLine } from './backup-format.ts'
import type { Dump } from './dump.ts'
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
        yield Buffer.from(`[${contents.join(',')}]\n`)
        progress(contents.length)
      }
      addRelease(row)
    } catch (error) {
      damaged = addMissing(row, error)
    }
    yield marker({ end: { damaged } })
  }
  for await (const { name, columns, rows } of dump.tables()) {
    yield marker({ table: name, columns: [...columns] })
    addRows(name, 0)
    for await (const batch of rows()) {
      yield line(batch)
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

export const marker = (value: MarkerLine): Buffer => line(value)

const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
