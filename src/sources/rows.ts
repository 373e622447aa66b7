import type { Readable } from 'node:stream'
import { openBytes } from './bytes.ts'
import type { Columns } from './columns.ts'
import { csvRows } from './csv-rows.ts'
import { gunzipped } from './gunzip.ts'
import { jsonRows } from './json-rows.ts'
import { Refusal } from './refusal.ts'
import type { SourceRow } from './row.ts'
import { decodeUtf8 } from './utf8.ts'

/** An opened source. */
export interface Source {
  /**
   * Its records, in the source's order, in batches. Throws {@link Refusal} where the source as a whole cannot be read.
   */
  rows(columns: Columns, required: readonly string[]): AsyncGenerator<readonly SourceRow[]>
  readonly bytesTotal: number | null
  bytesRead(): number
}

/** Opens a source: a file, standard input for `-`, or `input`; gzip or not; JSON or CSV. Throws {@link Refusal}. */
export async function openSource(name: string, input?: Readable): Promise<Source> {
  const bytes = await openBytes(name, input)
  return {
    rows: (columns, required) => rowsOf(decodeUtf8(gunzipped(bytes.chunks)), columns, required),
    bytesTotal: bytes.total,
    bytesRead: bytes.taken,
  }
}

/** Text that starts with a bracket is JSON, any other is CSV. */
async function* rowsOf(text: AsyncGenerator<string>, columns: Columns, required: readonly string[]) {
  let head = ''
  for (let one = await text.next(); !one.done; one = await text.next()) {
    head += one.value
    if (/\S/.test(one.value)) break
  }
  if (!/\S/.test(head)) throw new Refusal('the source is empty; nothing was read from it')
  async function* whole() {
    yield head
    yield* text
  }
  yield* /^\s*[[{]/.test(head) ? jsonRows(whole(), columns) : csvRows(whole(), columns, required)
}
