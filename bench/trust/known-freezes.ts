import { Temporal } from 'temporal-polyfill'
import type { Alarm } from './replay.ts'

/** A count that stood still, or at 0, while cars went in and out. A person found it, with the later readings in view. */
export interface KnownFreeze {
  readonly codes: readonly string[]
  readonly from: number
  readonly to: number
  readonly what: string
}

const FIVE = ['GREENSTREET', 'MINDENPLACE', 'PATRIOTICSTREET', 'PIERROAD', 'SANDSTREET']

/**
 * The freezes of February 2024 and of September 2024 to October 2025, by the island's clock. If a full car park froze together
 * with others, `from` is the time when the others froze: until then, its 0 was true.
 */
export const KNOWN_FREEZES: readonly KnownFreeze[] = [
  freeze(['LESJARDIN'], '2024-02-10T09:19', '2024-02-12T11:35', 'alone'),
  freeze(['CHARLESSTREET'], '2024-09-03T08:49', '2024-09-10T18:00', 'at 137 from the first reading on'),
  freeze(['CHARLESSTREET'], '2024-11-10T08:39', '2024-11-12T16:45', 'alone'),
  freeze(['CHARLESSTREET'], '2024-11-26T16:49', '2024-11-27T10:25', 'alone'),
  freeze(['CHARLESSTREET'], '2024-11-27T18:49', '2024-11-28T08:40', 'alone, mostly by night'),
  freeze(['CHARLESSTREET'], '2024-11-28T13:14', '2024-11-28T15:55', 'alone'),
  freeze(['CHARLESSTREET'], '2024-11-29T20:39', '2024-12-02T10:00', 'alone, hourly readings from 1 December'),
  freeze(['CHARLESSTREET'], '2025-01-14T12:34', '2025-01-15T09:40', 'alone'),
  freeze(FIVE, '2025-02-02T00:24', '2025-02-03T07:20', 'five at once, from Sunday night'),
  freeze(['SANDSTREET'], '2025-10-08T18:29', '2025-10-08T22:45', 'no count, shown as 0'),
  freeze(['SANDSTREET'], '2025-10-09T00:19', '2025-10-09T09:35', 'no count, shown as 0'),
  freeze(['PIERROAD'], '2025-10-03T05:59', '2025-11-01T00:00', 'counts a twentieth of its cars all month'),
  freeze(['LESJARDIN'], '2025-10-13T09:09', '2025-10-13T11:30', 'alone'),
  freeze(['LESJARDIN'], '2025-10-14T04:49', '2025-10-14T08:25', 'alone'),
  freeze(['LESJARDIN'], '2025-10-18T16:29', '2025-10-18T19:25', 'alone'),
  freeze(['LESJARDIN'], '2025-10-19T10:29', '2025-10-19T13:40', 'alone, stirs twice'),
  freeze(['LESJARDIN'], '2025-10-22T06:39', '2025-10-22T08:25', 'alone'),
  freeze(['LESJARDIN'], '2025-10-24T05:14', '2025-10-24T08:25', 'alone'),
  freeze(['LESJARDIN'], '2025-10-24T14:09', '2025-10-24T15:30', 'alone'),
  freeze(['LESJARDIN'], '2025-10-27T16:09', '2025-10-27T19:40', 'alone'),
  freeze(['SANDSTREET'], '2025-10-20T15:29', '2025-10-21T08:30', 'no count, shown as 0, before the others'),
  freeze(FIVE.slice(0, 4), '2025-10-20T16:00', '2025-10-21T08:30', 'with it; three shown as 0'),
  freeze(FIVE, '2025-10-23T10:09', '2025-10-27T14:00', 'five at once'),
  freeze(['GREENSTREET'], '2025-10-28T10:34', '2025-10-28T16:15', 'no count, shown as 0, first really full'),
  freeze(['SANDSTREET'], '2025-10-30T17:59', '2025-10-31T11:05', 'no count, shown as 0'),
  freeze(
    ['SANDSTREET'],
    '2025-10-31T20:49',
    '2025-11-01T00:00',
    'no count, shown as 0, by night to the file’s end',
  ),
]

/** Whether an alarm is for a known freeze. */
export const isKnown = (alarm: Alarm): boolean =>
  KNOWN_FREEZES.some(known => known.codes.includes(alarm.code) && isFor(alarm, known))

/** The alarm that found a known freeze of a car park. */
export const alarmFor = (known: KnownFreeze, code: string, alarms: readonly Alarm[]): Alarm | undefined =>
  alarms.find(alarm => alarm.code === code && isFor(alarm, known))

const isFor = ({ foundAt, endedAt = Number.POSITIVE_INFINITY }: Alarm, { from, to }: KnownFreeze) =>
  foundAt < to && endedAt > from

function freeze(codes: readonly string[], from: string, to: string, what: string): KnownFreeze {
  const instant = (text: string) =>
    Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Jersey').epochMilliseconds
  return { codes, from: instant(from), to: instant(to), what }
}
