import type { Origin } from '../../datasets/origin.ts'
import type { Forecast } from '../../parking/forecast/forecast.ts'
import type { LocalClock } from '../../parking/local-clock.ts'
import type { Assessment } from '../../parking/quality/quality.ts'
import { PARKING_SCRIPT } from './browser-scripts.ts'
import { originLine } from './origin-line.ts'
import { type Html, html, page, type Site } from './page.ts'

/** A row of the table. */
export interface ParkingRow {
  readonly name: string
  /** Null where the feed does not list the car park. */
  readonly spaces: number | null
  readonly assessment: Assessment
  /** Undefined without a forecast. */
  readonly forecast: Forecast | undefined
}

export interface ParkingPageOptions {
  /** Undefined before the first reading. */
  readonly rows: readonly ParkingRow[] | undefined
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  readonly clock: LocalClock
  readonly site: Site
  /** Whose the car parks are; undefined in a service without them. */
  readonly origin: Origin | undefined
}

const MINUTES_AHEAD = 60
const PATH = '/parking'

/**
 * The page of free spaces now and in an hour. It shows no number for a count that cannot be trusted. Its script
 * (`browser/parking.js`) replaces the element `counts`, and tells of it in the element `state`.
 */
export function parkingPage(options: ParkingPageOptions): string {
  const { site, origin } = options
  const whose =
    origin === undefined
      ? html``
      : html`
<p class="facts">${originLine(origin)}</p>`
  const body = html`<p id="state" role="status">This page does not update by itself: <a href="${PATH}">load the newest counts</a>.</p>
<section id="counts" data-time-zone="${options.clock.timeZone}">
${counts(options)}
</section>
<p class="facts">“In an hour” shows the expected spaces in an hour, and the range that four forecasts in five stay within.
The counts come from the live feed of the car parks, and each is checked against its own past: <a href="/v1/carparks/live-spaces?include=quality">see the data</a>.</p>${whose}
<p><a href="/">All datasets</a></p>`
  return page({
    title: 'Free parking spaces',
    body,
    site,
    script: PARKING_SCRIPT.path,
  })
}

/** The table. Its headings say how they read once the counts are old. */
function counts({ rows, at, clock }: ParkingPageOptions): Html {
  if (rows === undefined) return html`<p>No counts have been received yet.</p>`
  const inAnHour = at + MINUTES_AHEAD * 60_000
  return html`<p>Counted on <time datetime="${new Date(at).toISOString()}">${timeAndDay(at, clock)}</time>.</p>
<table class="parking">
<thead><tr><th scope="col">Car park</th>
<th scope="col" data-old="Free at ${time(at, clock)}">Free now</th>
<th scope="col" data-old="At ${time(inAnHour, clock)}">In an hour</th></tr></thead>
<tbody>
${rows.map(row => tableRow(row, clock))}</tbody>
</table>`
}

const UNKNOWN = html`<td class="unknown">not known</td>`

function tableRow(row: ParkingRow, clock: LocalClock): Html {
  const { name, forecast } = row
  const note = noteOn(row, clock)
  const soon = forecast?.entries.find(({ minutesAhead }) => minutesAhead === MINUTES_AHEAD)
  const expected =
    soon === undefined
      ? UNKNOWN
      : html`<td class="count">${String(soon.expected)}<br><span class="facts">${String(soon.low)}–${String(soon.high)}</span></td>`
  const why =
    note === undefined
      ? html``
      : html`<tr class="note"><td colspan="3" class="facts">${note}</td></tr>
`
  return html`<tr><th scope="row">${name}</th>${freeNow(row)}${expected}</tr>
${why}`
}

function freeNow({ spaces, assessment: { quality } }: ParkingRow): Html {
  if (spaces === null) return html`<td class="unknown">no count now</td>`
  if (quality === 'good') return html`<td class="count"><strong>${String(spaces)}</strong></td>`
  return quality === 'closed' ? html`<td>closed</td>` : UNKNOWN
}

/** The reason for a missing number, and the count of the feed. */
function noteOn({ spaces, assessment }: ParkingRow, clock: LocalClock): string | undefined {
  if (spaces === null)
    return assessment.since === null
      ? 'The feed has not counted this car park yet.'
      : `The feed has not counted this car park since ${timeAndDay(assessment.since, clock)}.`
  const since = assessment.changedAt === null ? '' : ` since ${timeAndDay(assessment.changedAt, clock)}`
  switch (assessment.quality) {
    case 'frozen':
      return `This counter appears to be stuck: it has shown ${spaces}${since}.`
    case 'stale':
      return `There is no new count. The last was ${spaces}.`
    case 'implausible':
      return `The counter shows ${spaces}, which is not possible.`
    case 'missing':
      return 'This car park is not being counted at the moment.'
    default:
      return undefined
  }
}

const TIME = { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' } as const
const SHORT = new Intl.DateTimeFormat('en-GB', TIME)
const WRITTEN = new Intl.DateTimeFormat('en-GB', { ...TIME, weekday: 'long', day: 'numeric', month: 'long' })

/** The time by the island's clock, such as `09:00`. */
const time = (at: number, clock: LocalClock) => SHORT.format(clock.wallTime(at))

/** The day and time by the island's clock, such as `Monday 16 November at 09:00`. */
function timeAndDay(at: number, clock: LocalClock): string {
  return WRITTEN.format(clock.wallTime(at))
}
