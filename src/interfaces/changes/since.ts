import Type from 'typebox'
import { Problem } from '../../errors.ts'
import type { Release } from '../../store/store.ts'
import { type Moment, moment } from '../../values/dates.ts'
import { InvalidParameter, NotAllowed, type ValueType } from '../../values/values.ts'

/** Where changes begin: at a release, or at the one that was served at a time. */
export type Since = { readonly release: number } | Moment

const times = moment()

const ALLOWED = `the number of a release, ${times.allowed}`

/** A release's number, a date or a time. */
const since: ValueType<Since> = {
  allowed: ALLOWED,
  schema: Type.String({
    anyOf: [{ pattern: '^[0-9]{1,9}$' }, { format: 'date' }, { format: 'date-time' }],
  }),
  format: value => ('release' in value ? String(value.release) : times.format(value)),
  parse(text) {
    if (/^\d{1,9}$/.test(text)) return { release: Number(text) }
    if (!/^\d{4}-\d/.test(text)) throw new NotAllowed(`must be ${ALLOWED}`)
    return times.parse(text)
  },
}

/** The parameter `since`. */
export const sinceParameter = {
  type: since,
  description:
    'The number of a release, or a time: that of the release that was served then. A date is its midnight UTC. By default the release before the one that is served.',
}

/**
 * Finds the release at which changes begin; by default the release before the served one. The kept releases come newest first.
 * Throws CHANGES_GONE if that release is no longer kept, and {@link InvalidParameter} if it never existed.
 */
export function releaseSince(value: Since | undefined, kept: readonly Release[], served: Release): Release {
  const oldest = kept.at(-1) ?? served
  const comparable = `${kept.map(({ number }) => number).join(', ')}, or a time from ${oldest.publishedAt} on`
  const refuse = (value: string, detail: string) =>
    new InvalidParameter({ parameter: 'since', value, detail, allowed: `one of the releases ${comparable}` })
  if (value === undefined) return kept.find(({ number }) => number < served.number) ?? served
  const found = 'release' in value ? kept.find(({ number }) => number === value.release) : servedAt(value)
  if (found !== undefined) return found
  const isOlder = 'release' in value ? value.release >= 1 && value.release < oldest.number : oldest.number > 1
  const sent = since.format(value)
  if (!isOlder) throw refuse(sent, 'release' in value ? 'is no release' : 'is before the first release')
  throw new Problem(
    'CHANGES_GONE',
    `since ${sent} is older than the releases that are kept. Changes can be had since ${comparable}.`,
  )

  /** Before a rollback the newest release was served; of earlier rollbacks nothing is known. */
  function servedAt(time: Moment): Release | undefined {
    const at = 'day' in time ? Date.parse(time.day) : time.instant
    const isBy = (moment: string) => Date.parse(moment) <= at
    if (served.currentSince !== null && isBy(served.currentSince)) return served
    return kept.find(({ publishedAt }) => isBy(publishedAt))
  }
}
