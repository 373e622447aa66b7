import { constants, fstatSync, openSync } from 'node:fs'
import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config.ts'

/** Bytes of lines, some two thousand, that may wait while the output takes none. Further lines are dropped. */
const MOST_WAITING = 512 * 1024
const RETRY_MS = 1000
/** From this many characters on, lines are written before the turn of the event loop ends. */
const MOST_OF_A_TURN = 16 * 1024
/** A pipe does not mix writes of up to this many bytes with those of other processes (POSIX's PIPE_BUF). */
const PIPE_BYTES = 4096
/** Pino's number for the level of warnings. Errors have greater numbers. */
const WARNING = 40

/**
 * Writes lines to standard output, and never makes the service wait. The lines of one turn of the event loop are one write,
 * since a write costs as much as a cached response. Warnings and errors are written at once. While the output takes nothing (a
 * pipe that nobody reads, a full disk), lines wait. They are tried again with each further line and each second. Beyond a limit,
 * lines are dropped. `onTaken` is called with the number of dropped lines once the output has taken all waiting lines;
 * `linesDropped` counts the lines dropped so far.
 */
function createLogOutput(onTaken: (dropped: number) => void, isShared: boolean) {
  const stream = pino.destination({
    dest: outputDescriptor(),
    sync: true,
    maxLength: MOST_WAITING,
    maxWrite: isShared ? PIPE_BYTES : undefined,
    // The library would block the whole process while a pipe is full.
    retryEAGAIN: () => false,
  })
  let dropped = 0
  let reported = 0
  let retrying: NodeJS.Timeout | undefined
  /** The lines of this turn. */
  let turn = ''
  const write = () => {
    const text = turn
    turn = ''
    stream.write(text)
  }
  // Pino's own listener would end the log for good when a reader closes the pipe, and would count no dropped lines.
  stream.removeAllListeners('error')
  stream.on('error', () => {
    if (retrying !== undefined) return
    // Even an empty write also writes the waiting lines.
    retrying = setInterval(write, RETRY_MS).unref()
    stream.once('drain', () => {
      clearInterval(retrying)
      retrying = undefined
      const lines = dropped - reported
      reported = dropped
      if (lines > 0) onTaken(lines)
    })
  })
  stream.on('drop', (text: string) => {
    dropped += text.split('\n').length - 1
  })
  process.once('exit', write)
  // A failed write to standard output must not stop the service.
  process.stdout.removeAllListeners('error').on('error', () => {})
  // Pino does not get the stream itself: after a fatal error it would flush the stream until the output takes all lines.
  const lines: DestinationStream & { lastLevel: number } = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line) {
      if (isShared && Buffer.byteLength(turn) + Buffer.byteLength(line) > PIPE_BYTES) write()
      if (turn === '') setImmediate(write)
      turn += line
      if (this.lastLevel >= WARNING || turn.length > MOST_OF_A_TURN) write()
    },
  }
  return { stream: lines, linesDropped: () => dropped }
}

/**
 * The descriptor of standard output; for a pipe, a separately opened one. All processes with the same descriptor share the
 * setting whether writing to a full pipe blocks, and another Node.js process changes this setting when it ends.
 */
function outputDescriptor(): number {
  const { fd } = process.stdout
  try {
    if (fstatSync(fd).isFIFO())
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // Not Linux, or the pipe belongs to another user. As a Node.js stream, the pipe does not block unless it is shared.
  }
  return fd
}

const LONGEST_URL = 500

/**
 * Creates the log on standard output: JSON lines, or readable lines on a terminal. It never contains client addresses
 * (design 7, privacy): requests are reduced to method and URL here, whatever the caller passes. `isShared`: other processes write
 * to the same output. `linesDropped` counts the lines that standard output did not take.
 */
export async function createLog(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>, { isShared = false } = {}) {
  const options: LoggerOptions = { level: config.LOG_LEVEL, serializers: { req: describeRequest } }
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    const terminal = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    return { log: pino(options, terminal), linesDropped: () => 0 }
  }
  if (config.LOG_FORMAT === 'words') {
    options.formatters = { level: word => ({ level: word }) }
    options.timestamp = pino.stdTimeFunctions.isoTime
  }
  const tellDropped = (lines: number) =>
    log.warn({ event: 'log-lines-dropped', lines }, 'standard output took no lines, and these are missing')
  const { stream, linesDropped } = createLogOutput(tellDropped, isShared)
  const log = pino(options, stream)
  return { log, linesDropped }
}

function describeRequest(request: { method?: string; url?: string }): object {
  return { method: request.method, url: request.url?.slice(0, LONGEST_URL) }
}
