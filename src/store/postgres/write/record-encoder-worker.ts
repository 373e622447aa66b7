import { parentPort, workerData } from 'node:worker_threads'
import type { StoredRecord } from '../../../query/query.ts'
import type { EncoderAnswer, EncoderData, EncoderTask } from './copy-encoder.ts'
import { recordEncoder } from './record-encoder.ts'

/*
 * The thread that encodes the records of a large release. It ends after the message `end`, or at the first record that
 * cannot be stored.
 */

const { layout, known, rows } = workerData as EncoderData
const { line, dictionaries } = recordEncoder(layout, known)
let position = rows

parentPort?.on('message', (task: EncoderTask) => {
  if (task === 'end') {
    answer({ dictionaries })
    parentPort?.close()
    return
  }
  const { keys, contents } = task
  let text = ''
  for (const [at, key] of keys.entries()) {
    const content = contents[at] ?? ''
    text += line(++position, key, content, JSON.parse(content) as StoredRecord)
  }
  // A separate buffer, which can be transferred.
  const lines = new TextEncoder().encode(text)
  answer({ lines }, lines.buffer)
})

function answer(message: EncoderAnswer, ...handedOver: ArrayBuffer[]): void {
  parentPort?.postMessage(message, handedOver)
}
