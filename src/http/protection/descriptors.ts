import { readFileSync } from 'node:fs'
import { MAX_CONNECTIONS } from './limits.ts'

/** File descriptors that are not for clients: releases, databases, the feed, the operator's listener. */
const RESERVED = 100

/**
 * The number of connections that may be open at once. With few file descriptors it is smaller: were all taken by clients, the
 * service could neither open a release nor refuse anyone in order.
 */
export function connectionLimit(limitsFile = '/proc/self/limits'): number {
  const most = maxOpenFiles(limitsFile)
  return Math.max(1, Math.min(MAX_CONNECTIONS, most - RESERVED))
}

/** The limit of open files; infinite where the system does not tell it. */
function maxOpenFiles(limitsFile: string): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
