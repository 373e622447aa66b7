import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

const LONGEST_URL = 500

/**
 * Creates the log on standard output: JSON lines, or readable lines on a terminal. It never contains client addresses
 * (design 7, privacy): requests are reduced to method and URL here, whatever the caller passes.
 */
export async function createLog(level: LogLevel): Promise<Logger> {
  return pino({ level, serializers: { req: describeRequest } }, await destination())
}

async function destination(): Promise<DestinationStream> {
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
  }
  const stream = pino.destination({ fd: 1, sync: true })
  // A log that cannot be written (full disk, closed pipe) must not end the service.
  stream.on('error', () => {})
  return stream
}

function describeRequest(request: { method?: string; url?: string }): object {
  return { method: request.method, url: request.url?.slice(0, LONGEST_URL) }
}
