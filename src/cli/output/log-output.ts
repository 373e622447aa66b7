import { constants, fstatSync, openSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'

/** Bytes of lines that wait while the output takes none, some two thousand; further lines are dropped. */
const MOST_WAITING = 512 * 1024
const RETRY_MS = 1000

/** Where the log goes: standard output, which never makes the service wait. */
export interface LogOutput {
  readonly stream: DestinationStream
  /** How many lines were dropped so far. */
  linesDropped(): number
}

/**
 * Writes lines to standard output while it takes them. What it does not take (a pipe that nobody reads, a full disk) is
 * tried again with each further line and each second; beyond a bound, lines are dropped. `onTaken` is called with their
 * number once the output has taken all that waited.
 */
export function createLogOutput(onTaken: (dropped: number) => void): LogOutput {
  const stream = pino.destination({
    dest: outputDescriptor(),
    sync: true,
    maxLength: MOST_WAITING,
    // The library would wait for a full pipe with the whole process.
    retryEAGAIN: () => false,
  })
  let dropped = 0
  let reported = 0
  let retrying: NodeJS.Timeout | undefined
  // An empty line writes what waits.
  const retry = () => void stream.write('')
  // Pino's own listener would end the log for good when a reader closes the pipe, and count nothing.
  stream.removeAllListeners('error')
  stream.on('error', () => {
    if (retrying !== undefined) return
    retrying = setInterval(retry, RETRY_MS).unref()
    stream.once('drain', () => {
      clearInterval(retrying)
      retrying = undefined
      const lines = dropped - reported
      reported = dropped
      if (lines > 0) onTaken(lines)
    })
  })
  stream.on('drop', () => dropped++)
  process.once('exit', retry)
  // Nor is what a command prints there besides worth an end of the service.
  process.stdout.removeAllListeners('error').on('error', () => {})
  // Of the stream, pino would flush after a fatal error until the output takes all.
  return { stream: { write: line => void stream.write(line) }, linesDropped: () => dropped }
}

/**
 * The descriptor of standard output; for a pipe one of its own. Whether writing to a full pipe blocks is a property that
 * all processes with the same descriptor share, and another Node.js process changes it when it ends.
 */
function outputDescriptor(): number {
  const { fd } = process.stdout
  try {
    if (fstatSync(fd).isFIFO())
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // No Linux, or the pipe is another user's. As a stream of Node.js it does not block unless it is shared.
  }
  return fd
}
