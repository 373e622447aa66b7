import type { Logger } from 'pino'
import type { ResetReason } from '../http/unread-responses.ts'
import { trackSpell } from './spell.ts'

/** Why a connection was reset; `pipelining` means too many waiting requests. */
export type ConnectionReset = ResetReason | 'pipelining'

export const CONNECTION_RESETS: readonly ConnectionReset[] = ['slow', 'memory', 'pipelining']

export interface ConnectionFaults {
  readonly onReset: (reason: ConnectionReset) => void
  readonly onRefused: (error?: Error) => void
}

/** Counts each reset or refused connection, and logs the beginning and the end of each spell. */
export function reportConnections(log: Logger, count: ConnectionFaults): ConnectionFaults {
  const noteReset = trackSpell({
    onBegin: () =>
      log.warn({ event: 'connections-reset' }, 'connections are reset whose clients leave responses unread'),
    onEnd: connections =>
      log.info({ event: 'connections-read', connections }, 'no connection was reset for a minute'),
  })
  let reason: string | undefined
  const noteRefused = trackSpell({
    onBegin: () => log.warn({ event: 'connections-refused', reason }, 'new connections are refused'),
    onEnd: connections =>
      log.info({ event: 'connections-accepted', connections }, 'no connection was refused for a minute'),
  })
  return {
    onReset(why) {
      count.onReset(why)
      noteReset()
    },
    onRefused(error) {
      reason = error === undefined ? 'too many are open' : error.message
      count.onRefused(error)
      noteRefused()
    },
  }
}
