import type { LocalClock } from '../../src/parking/local-clock.ts'
import { QUALITIES } from '../../src/parking/quality/quality.ts'
import { markdownTable } from '../report/table.ts'
import { clockText, daytimeMinutes } from './daytime.ts'
import { alarmFor, isKnown, KNOWN_FREEZES } from './known-freezes.ts'
import type { Alarm, Replay } from './replay.ts'
import type { TrendReplay } from './trends.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const WILD_SHOWN = 20
const STRETCHES_SHOWN = 25

/** All tables of a replay, as Markdown. */
export function report(replay: Replay, clock: LocalClock): string {
  const text = (at: number | undefined) => (at === undefined ? '–' : clockText(clock, at))
  return [
    section('Freezes found', freezes(replay.alarms, clock, text)),
    section('Known freezes', knownFreezes(replay, clock, text)),
    section('Alarms and readings by car park', carParks(replay)),
    section(`Implausible, the first ${WILD_SHOWN} of ${replay.wild.length} runs`, wild(replay, text)),
    section(
      'Standing still and held good, the longest by daytime: what may have been missed',
      stretches(replay, text),
    ),
  ].join('\n\n')
}

/** The trends of both rules, as Markdown. */
export function trendReport({ raw, model, examples }: TrendReplay): string {
  const rows = Object.entries({ 'of the raw history': raw, 'of the model': model }).map(([rule, figures]) => [
    rule,
    ...[figures.shown, figures.moving, figures.wrong, figures.fromBad, figures.anyFromBad].map(String),
  ])
  const header = [
    'trend',
    'shown',
    'filling or emptying',
    'wrong sign',
    'moving, from a bad reading',
    'any, from a bad reading',
  ]
  return [section('Trends', markdownTable(header, rows)), ...examples].join('\n\n')
}

const section = (title: string, table: string) => `## ${title}\n\n${table}`

type Text = (at: number | undefined) => string

function freezes(alarms: readonly Alarm[], clock: LocalClock, text: Text): string {
  return markdownTable(
    ['car park', 'at', 'stopped', 'found', 'min', 'daytime min', 'held good again', 'hours', 'why', 'known'],
    alarms.map(alarm => [
      alarm.code,
      String(alarm.spaces),
      text(alarm.since),
      text(alarm.foundAt),
      String(Math.round((alarm.foundAt - alarm.since) / MINUTE_MS)),
      String(daytimeMinutes(clock, alarm.since, alarm.foundAt)),
      text(alarm.endedAt),
      alarm.endedAt === undefined ? '–' : ((alarm.endedAt - alarm.since) / HOUR_MS).toFixed(1),
      alarm.reason,
      isKnown(alarm) ? 'yes' : 'no',
    ]),
  )
}

/** The known freezes within the time of the replay, and when each was found. */
function knownFreezes({ alarms, months, first, last }: Replay, clock: LocalClock, text: Text): string {
  const rows = KNOWN_FREEZES.filter(({ from, to }) => to > first && from < last).flatMap(known =>
    known.codes
      .filter(code => months.has(code))
      .map(code => {
        const { from, to, what } = known
        const alarm = alarmFor(known, code, alarms)
        const delay = alarm ? String(daytimeMinutes(clock, from, Math.max(from, alarm.foundAt))) : 'missed'
        return [code, text(from), text(to), what, text(alarm?.foundAt), delay]
      }),
  )
  if (rows.length === 0) return 'None is known by eye in this time.'
  return markdownTable(['car park', 'from', 'to', 'what', 'found', 'daytime min'], rows)
}

function carParks({ alarms, months, shares }: Replay): string {
  const rows = [...shares].map(([code, share]) => {
    const own = alarms.filter(alarm => alarm.code === code)
    const others = own.filter(alarm => !isKnown(alarm)).length
    const total = [...share.values()].reduce((sum, count) => sum + count, 0)
    const inMonths = months.get(code) ?? 0
    return [
      code,
      inMonths.toFixed(1),
      String(own.length),
      String(others),
      (others / Math.max(1, inMonths)).toFixed(2),
      ...QUALITIES.map(quality => `${(((share.get(quality) ?? 0) / total) * 100).toFixed(2)} %`),
    ]
  })
  const header = ['car park', 'months with readings', 'alarms', 'not known', 'of these a month', ...QUALITIES]
  return markdownTable(header, rows)
}

function wild({ wild: runs }: Replay, text: Text): string {
  return markdownTable(
    ['car park', 'at', 'good before', 'count'],
    runs
      .slice(0, WILD_SHOWN)
      .map(({ code, at, before, spaces }) => [code, text(at), String(before ?? '–'), String(spaces)]),
  )
}

function stretches({ stretches: all }: Replay, text: Text): string {
  const shown = [...all.filter(({ spaces }) => spaces !== 0).slice(0, STRETCHES_SHOWN)]
  const atZero = all.filter(({ spaces }) => spaces === 0).slice(0, STRETCHES_SHOWN)
  return markdownTable(
    ['car park', 'count', 'from', 'to', 'daytime min'],
    [...shown, ...atZero].map(({ code, spaces, from, to, daytime }) => [
      code,
      String(spaces),
      text(from),
      text(to),
      String(daytime),
    ]),
  )
}
