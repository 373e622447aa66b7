import { readFileSync } from 'node:fs'
import { MAX_CONNECTIONS } from './limits.ts'

/** File descriptors that are not for clients: releases, databases, the feed, the operator's listener. */
const RESERVED = 100

/**
 * The most connections that may be open, fewer if file descriptors are scarce. If clients took every descriptor, the service
 * could neither open a release nor refuse clients properly.
 */
export function connectionLimit(limitsFile = '/proc/self/limits'): number {
  const most = maxOpenFiles(limitsFile)
  return Math.max(1, Math.min(MAX_CONNECTIONS, most - RESERVED))
}

/** The limit of open files; infinite if the system does not state it. */
function maxOpenFiles(limitsFile: string): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
