import type { Router } from '../../../http/routing/router.ts'
import { DAY_MS, HOUR_S } from '../../../values/time-units.ts'
import { addText } from '../rendered-text.ts'

/** RFC 9116 recommends less than a year: a copy that somebody kept must not stay valid. */
const VALID_DAYS = 180

/** Adds security.txt (RFC 9116): whom to tell about a vulnerability. It changes once a day, when its expiry moves on. */
export function addSecurityTxt(router: Router, contact: string): void {
  const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS
  addText(router, {
    ...{
      path: '/.well-known/security.txt',
      type: 'text/plain; charset=utf-8',
      maxAge: HOUR_S,
      synthetic: false,
    },
    content: () =>
      `Contact: ${contact}\nExpires: ${new Date(today() + VALID_DAYS * DAY_MS).toISOString()}\nPreferred-Languages: en\n`,
  })
}
