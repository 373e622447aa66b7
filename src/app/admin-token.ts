import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ParsedRequest } from '../http/request.ts'

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 5000]

/**
 * Creates the check of the operator's token, as Bearer token or as password of Basic. The first wrong token is logged. Until a right one
 * comes, each further wrong token from any client is answered later than the one before.
 */
export function createTokenCheck(token: string, log: Pick<Logger, 'warn'>) {
  // Digests have the same length, which the comparison in constant time needs.
  const digest = (text: string) => createHash('sha256').update(text).digest()
  let pauseMs = 0
  return async ({ headers: { authorization }, response }: ParsedRequest): Promise<boolean> => {
    const [, basic, bearer = ''] = /^(?:Basic +(\S+)|Bearer +(\S+))$/i.exec(authorization ?? '') ?? []
    const given = basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : bearer
    if (timingSafeEqual(digest(given), digest(token))) {
      pauseMs = 0
      return true
    }
    // A browser first asks without a password.
    if (authorization === undefined) return false
    const client = response.socket?.remoteAddress
    if (pauseMs === 0)
      log.warn({ event: 'admin-token-wrong', client }, 'a request to the journal has a wrong token')
    const pausing = pause(pauseMs)
    pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, 2 * pauseMs), LONGEST_PAUSE_MS)
    await pausing
    return false
  }
}
