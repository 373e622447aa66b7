import type { ServerResponse } from 'node:http'
import type { Scheduler } from '../protection/scheduler.ts'

/** The progress of a slow client is seen by whole writes, so each is a few seconds of what it reads. */
const PART_BYTES = 16_384
const BYTES_PER_TURN = 8 * PART_BYTES

/** Whose turns they are, and who gives them. */
export interface Turns {
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  readonly client: string
}

/**
 * Sends a large body in parts. The kernel copies megabytes for each client that asks for them, so were they handed over at
 * once, a few hundred clients would hold everyone else up for seconds.
 */
export function writeInParts(response: ServerResponse, body: Buffer, { scheduler, client }: Turns): void {
  let sent = 0
  const isOver = () => response.destroyed
  const writeNext = (): boolean => {
    if (isOver()) return false
    const part = body.subarray(sent, sent + PART_BYTES)
    sent += part.length
    if (sent === body.length) response.end(part)
    else {
      const next =
        sent % BYTES_PER_TURN > 0 ? writeNext : () => scheduler.inLaterTurn(client, writeNext, isOver)
      if (response.write(part)) next()
      else response.once('drain', next)
    }
    return false
  }
  writeNext()
}

/**
 * The chunks of a stream, each in a turn of the event loop of its own, among the parts of all other large bodies: the first
 * one too, or whoever opens a hundred streams would hold everyone up. An empty chunk only ends a step, and a long one
 * is handed over in parts. Once it is over, as
 * its reader has gone, no chunk is made.
 */
export async function* inTurns(
  chunks: AsyncIterable<Uint8Array>,
  { scheduler, client }: Turns,
  isOver = () => false,
): AsyncGenerator<Uint8Array> {
  const turn = () =>
    new Promise<void>(resolve => {
      const part = () => {
        resolve()
        return true
      }
      scheduler.inLaterTurn(client, part, isOver)
    })
  await turn()
  if (isOver()) return
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) yield chunk.subarray(at, at + PART_BYTES)
    await turn()
    if (isOver()) return
  }
}

/**
 * The same chunks; `record` gets the milliseconds that each took. Of a source that gives others a turn before it works, as
 * an embedded database does, those of the turn after count.
 */
export async function* timed(
  chunks: AsyncIterable<Uint8Array>,
  record: (ms: number) => void,
): AsyncGenerator<Uint8Array> {
  let begun = 0
  const begin = () => {
    begun = performance.now()
  }
  begin()
  let nextTurn = setImmediate(begin)
  try {
    for await (const chunk of chunks) {
      clearImmediate(nextTurn)
      record(performance.now() - begun)
      yield chunk
      begin()
      nextTurn = setImmediate(begin)
    }
  } finally {
    clearImmediate(nextTurn)
  }
}
