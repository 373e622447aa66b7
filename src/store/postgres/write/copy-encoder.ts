import { availableParallelism } from 'node:os'
import type { StoredRecord } from '../../../query/query.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionaries, recordEncoder } from './record-encoder.ts'
import { type EncoderThread, startEncoderThread } from './record-encoder-thread.ts'

/** Encodes records in the text format of `copy`, and sends them. */
export interface CopyEncoder {
  /** Returns a promise while the receiver is behind. Throws TypeError for a record that cannot be stored. */
  add(key: string, content: string, record: StoredRecord): Promise<void> | undefined
  /** Waits until all rows are sent; returns their dictionaries. */
  end(): Promise<Dictionaries>
  cancel(): Promise<void>
}

/** Characters sent at once. */
const CHUNK = 1 << 16
/** Starting a thread takes as long as encoding a few thousand records. */
const RECORDS_HERE = 20_000

/** Encodes records: in this thread up to a number, then in a worker thread if the machine has more than one core. */
export function copyEncoder(
  layout: Layout,
  send: (lines: string | Uint8Array) => Promise<void> | undefined,
  threadsAtOnce = availableParallelism(),
): CopyEncoder {
  const { line, dictionaries } = recordEncoder(layout)
  const numbers =
    layout.kind === 'table'
      ? layout.columns.filter(({ type }) => type === 'number').map(({ name }) => name)
      : []
  let rows = 0
  let text = ''
  let thread: EncoderThread | undefined

  function sendText(): Promise<void> | undefined {
    const chunk = text
    text = ''
    return send(chunk)
  }

  function addHere(key: string, content: string, record: StoredRecord): Promise<void> | undefined {
    text += line(rows + 1, key, content, record)
    rows++
    if (rows === RECORDS_HERE && threadsAtOnce > 1) {
      thread = startEncoderThread({ layout, known: dictionaries, rows }, send)
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

/** The thread receives records as JSON, in which NaN would be null. */
const isInJson = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value)
