import { availableParallelism } from 'node:os'
import type { StoredRecord } from '../../../query/query.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionaries, recordLines } from './record-encoder.ts'
import { type LinesThread, startLinesThread } from './record-encoder-thread.ts'

/** Records on their way to the server, as lines of the text format of `copy`. */
export interface LinesOut {
  /** Gives a promise where those who take them are behind. Throws TypeError for a record that cannot be kept. */
  add(key: string, content: string, record: StoredRecord): Promise<void> | undefined
  /** Waits until all lines are sent; gives the words that they hold. */
  end(): Promise<Dictionaries>
  cancel(): Promise<void>
}

/** Sent at once. */
const CHUNK = 1 << 16
/** Starting a thread takes as long as the lines of a few thousand records. */
const RECORDS_HERE = 20_000

/**
 * Makes lines of records: here while they are few, and from where they become many in a thread of its own, if the machine
 * runs more than one at once.
 */
export function linesOut(
  layout: Layout,
  send: (lines: string | Uint8Array) => Promise<void> | undefined,
  threadsAtOnce = availableParallelism(),
): LinesOut {
  const { line, dictionaries } = recordLines(layout)
  const numbers =
    layout.kind === 'table'
      ? layout.columns.filter(({ type }) => type === 'number').map(({ name }) => name)
      : []
  let rows = 0
  let text = ''
  let thread: LinesThread | undefined

  function sendText(): Promise<void> | undefined {
    const chunk = text
    text = ''
    return send(chunk)
  }

  function addHere(key: string, content: string, record: StoredRecord): Promise<void> | undefined {
    text += line(rows + 1, key, content, record)
    rows++
    if (rows === RECORDS_HERE && threadsAtOnce > 1) {
      thread = startLinesThread({ layout, known: dictionaries, rows }, send)
      return sendText()
    }
    return text.length < CHUNK ? undefined : sendText()
  }

  return {
    add(key, content, record) {
      if (thread === undefined) return addHere(key, content, record)
      if (numbers.some(name => !isInJson(record[name])))
        throw new TypeError('a number that JSON cannot hold cannot be kept')
      return thread.add(key, content)
    },
    async end() {
      if (thread !== undefined) return thread.end()
      await sendText()
      return dictionaries
    },
    cancel: async () => thread?.cancel(),
  }
}

/** The thread knows records by their content, in which NaN would be null. */
const isInJson = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value)
