import type { ServerResponse } from 'node:http'
import type { Scheduler } from './scheduler.ts'

/**
 * Progress is counted in whole writes, so a slow client gets small ones: each reaches it within seconds. Every other client gets
 * large ones: a Node program on the same machine may save a download in large ones fifteen times faster.
 */
const SMALL_PART_BYTES = 16_384
const LARGE_PART_BYTES = 65_536
const BYTES_PER_TURN = 2 * LARGE_PART_BYTES

/** A client is slow if its last part took longer. */
const SLOW_PART_MS = 500

const partBytesAfter = (ms: number) => (ms < SLOW_PART_MS ? LARGE_PART_BYTES : SMALL_PART_BYTES)

/** A client, and the scheduler that gives it turns. */
export interface Turns {
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  readonly client: string
}

/**
 * Sends a large body in parts. The kernel copies the bytes that a write hands over. If each client got megabytes in one write,
 * a few hundred clients would hold everyone else up for seconds.
 */
export function writeInParts(response: ServerResponse, body: Buffer, { scheduler, client }: Turns): void {
  let sent = 0
  let partBytes = LARGE_PART_BYTES
  let turnEnds = BYTES_PER_TURN
  const isOver = () => response.destroyed
  const writeNext = (): boolean => {
    if (isOver()) return false
    const part = body.subarray(sent, sent + partBytes)
    sent += part.length
    if (sent === body.length) response.end(part)
    else if (response.write(part)) goOn()
    else {
      const written = performance.now()
      response.once('drain', () => {
        partBytes = partBytesAfter(performance.now() - written)
        goOn()
      })
    }
    return false
  }
  const goOn = () => {
    if (sent < turnEnds) writeNext()
    else {
      turnEnds = sent + BYTES_PER_TURN
      scheduler.inLaterTurn(client, writeNext, isOver)
    }
  }
  writeNext()
}

/**
 * Yields the chunks of a stream, each in a separate turn of the event loop, among the parts of all other large bodies. The
 * first chunk waits for a turn too: otherwise, a client that opens a hundred streams would hold everyone up. An empty chunk
 * only ends a step, and a long one is yielded in parts. No chunk is made once `isOver` returns true, because the reader has
 * gone.
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
  let partBytes = LARGE_PART_BYTES
  await turn()
  if (isOver()) return
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + partBytes)
      at += part.length
      const yielded = performance.now()
      yield part
      partBytes = partBytesAfter(performance.now() - yielded)
    }
    await turn()
    if (isOver()) return
  }
}

/**
 * Yields the same chunks, and passes the milliseconds of each to `record`. If the source gives others a turn before it works,
 * as an embedded database does, the time counts from the next turn.
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
