import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { createLogOutput } from './output/log-output.ts'

const LONGEST_URL = 500

/** The log, and how many of its lines standard output did not take. */
export interface Log {
  readonly log: Logger
  linesDropped(): number
}

/**
 * Creates the log on standard output: JSON lines, or readable lines on a terminal. It never contains client addresses
 * (design 7, privacy): requests are reduced to method and URL here, whatever the caller passes.
 */
export async function createLog(level: LogLevel): Promise<Log> {
  const options = { level, serializers: { req: describeRequest } }
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    const terminal = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    return { log: pino(options, terminal), linesDropped: () => 0 }
  }
  const { stream, linesDropped } = createLogOutput(lines =>
    log.warn({ event: 'log-lines-dropped', lines }, 'standard output took no lines, and these are missing'),
  )
  const log = pino(options, stream)
  return { log, linesDropped }
}

function describeRequest(request: { method?: string; url?: string }): object {
  return { method: request.method, url: request.url?.slice(0, LONGEST_URL) }
}
