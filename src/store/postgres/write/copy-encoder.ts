import { availableParallelism } from 'node:os'
import type { StoredRecord } from '../../../query/query.ts'
import { startThread } from '../../../values/thread.ts'
import type { Layout } from '../../layout.ts'
import { type Deferred, deferred } from './copy-in.ts'
import { type Dictionaries, recordEncoder } from './record-encoder.ts'

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

/** The thread's input at its start: the dictionaries of the earlier records, and their number. */
export interface EncoderData {
  readonly layout: Layout
  readonly known: Dictionaries
  readonly rows: number
}

/** A message to the thread: records, as keys and contents, or the end. */
export type EncoderTask = { readonly keys: readonly string[]; readonly contents: readonly string[] } | 'end'

/** A message from the thread: the encoded records, or, at the end, all dictionaries. */
export type EncoderAnswer = { readonly lines: Uint8Array } | { readonly dictionaries: Dictionaries }

/** Encodes records in a worker thread, in their order. */
interface EncoderThread {
  /** Returns a promise while the thread or the receiver is behind. Throws the error of an earlier record. */
  add(key: string, content: string): Promise<void> | undefined
  /** Waits until all rows are sent, and resolves to the dictionaries of all records. The thread has ended then. */
  end(): Promise<Dictionaries>
  cancel(): Promise<void>
}

/** Records in one message. */
const BATCH = 500
/** The maximum number of batches in flight. */
const MOST_BATCHES = 4

/** Starts the thread; `send` takes encoded rows, and returns a promise while it is behind. */
function startEncoderThread(
  data: EncoderData,
  send: (lines: Uint8Array) => Promise<void> | undefined,
): EncoderThread {
  const worker = startThread(new URL('./record-encoder-worker', import.meta.url), data)
  const ended = deferred()
  let keys: string[] = []
  let contents: string[] = []
  let underWay = 0
  let room: Deferred | undefined
  let failure: { readonly error: unknown } | undefined
  let dictionaries: Dictionaries | undefined

  function fail(error: unknown): void {
    failure ??= { error }
    room?.reject(error)
    ended.reject(error)
    void worker.terminate()
  }

  async function take(lines: Uint8Array): Promise<void> {
    await send(lines)
    underWay--
    room?.resolve()
    room = undefined
  }

  worker.on('message', (answer: EncoderAnswer) => {
    if ('lines' in answer) void take(answer.lines).catch(fail)
    else dictionaries = answer.dictionaries
  })
  worker.once('error', fail)
  worker.once('exit', status =>
    dictionaries === undefined
      ? fail(new Error(`the encoder thread exited with status ${status}`))
      : ended.resolve(),
  )

  function post(task: EncoderTask): void {
    worker.postMessage(task)
  }

  function tellBatch(): void {
    post({ keys, contents })
    underWay++
    keys = []
    contents = []
  }

  return {
    add(key, content) {
      if (failure !== undefined) throw failure.error
      keys.push(key)
      contents.push(content)
      if (keys.length < BATCH) return undefined
      tellBatch()
      if (underWay < MOST_BATCHES) return undefined
      room = deferred()
      return room.promise
    },
    async end() {
      if (failure !== undefined) throw failure.error
      tellBatch()
      post('end')
      await ended.promise
      return dictionaries ?? new Map()
    },
    async cancel() {
      await worker.terminate()
    },
  }
}
