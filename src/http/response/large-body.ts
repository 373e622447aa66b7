import type { ServerResponse } from 'node:http'

const PART_BYTES = 131_072

/** Milliseconds of one turn of the event loop for the parts of all large bodies together. */
const TIME_SLICE_MS = 2

/** While clients connect, of whom the event loop accepts one a turn, parts wait at most this long. */
const MAX_WAIT_MS = 20

let hasNewConnections = false

/** Records a new connection: others may be waiting behind it, and are accepted before further parts are written. */
export function yieldToConnections(): void {
  hasNewConnections = true
}

/** Responses whose clients can take another part, by what writes it. */
const ready: (() => void)[] = []

/**
 * Sends a large body in parts. The kernel copies megabytes for each client that asks for them, so were they handed over at
 * once, a few hundred clients would hold everyone else up for seconds.
 */
export function writeInParts(response: ServerResponse, body: Buffer): void {
  let sent = 0
  const writeNext = () => {
    if (response.destroyed) return
    const part = body.subarray(sent, sent + PART_BYTES)
    sent += part.length
    if (sent === body.length) response.end(part)
    else if (response.write(part)) queue(writeNext)
    else response.once('drain', () => queue(writeNext))
  }
  writeNext()
}

function queue(write: () => void): void {
  if (ready.push(write) === 1) setImmediate(writeReady, performance.now())
}

function writeReady(since: number): void {
  const begun = performance.now()
  if (hasNewConnections && begun - since < MAX_WAIT_MS) {
    hasNewConnections = false
    setImmediate(writeReady, since)
    return
  }
  let written = 0
  for (const write of ready) {
    write()
    written++
    if (performance.now() - begun > TIME_SLICE_MS) break
  }
  ready.splice(0, written)
  if (ready.length > 0) setImmediate(writeReady, performance.now())
}
