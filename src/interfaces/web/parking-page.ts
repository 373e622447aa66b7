import type { Forecast } from '../../parking/forecast/forecast.ts'
import type { LocalClock } from '../../parking/local-clock.ts'
import type { Assessment } from '../../parking/quality/quality.ts'
import type { LiveEntry } from '../../store/store.ts'
import { type Html, html, page } from './page.ts'

/** A row of the table. */
export interface ParkingRow {
  readonly entry: LiveEntry
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
  readonly synthetic: boolean
}

const MINUTES_AHEAD = 60
const REFRESH_S = 60

/** The page of free spaces now and in an hour. It shows no number for a count that cannot be trusted. */
export function parkingPage({ rows, at, clock, synthetic }: ParkingPageOptions): string {
  const title = 'Free parking spaces'
  if (rows === undefined)
    return page({
      title,
      synthetic,
      body: html`<p>No counts have been received yet. Try again in a minute.</p>`,
    })
  const body = html`<p>Counted on ${timeAndDay(at, clock)}. This page updates every minute.</p>
<table class="parking">
<thead><tr><th scope="col">Car park</th><th scope="col">Free now</th><th scope="col">In an hour</th></tr></thead>
<tbody>
${rows.map(row => tableRow(row, clock))}</tbody>
</table>
<p class="facts">“In an hour” shows the expected spaces in an hour, and the range that four forecasts in five stay within.
The counts come from the government's live feed, and each is checked against its own past: <a href="/v1/carparks/live-spaces?include=quality">see the data</a>.</p>
<p><a href="/">All datasets</a></p>`
  return page({ title, body, synthetic, refreshSeconds: REFRESH_S })
}

function tableRow({ entry, assessment, forecast }: ParkingRow, clock: LocalClock): Html {
  const note = noteOn(entry, assessment, clock)
  const soon = forecast?.entries.find(({ minutesAhead }) => minutesAhead === MINUTES_AHEAD)
  const expected =
    soon === undefined
      ? html`<span class="unknown">not known</span>`
      : html`${String(soon.expected)}<br><span class="facts">${String(soon.low)}–${String(soon.high)}</span>`
  const why =
    note === undefined
      ? html``
      : html`<tr class="note"><td colspan="3" class="facts">${note}</td></tr>
`
  return html`<tr><th scope="row">${entry.name}</th><td>${freeNow(entry, assessment)}</td><td>${expected}</td></tr>
${why}`
}

function freeNow({ spaces }: LiveEntry, { quality }: Assessment): Html {
  if (quality === 'good') return html`<strong>${String(spaces)}</strong>`
  return quality === 'closed' ? html`closed` : html`<span class="unknown">not known</span>`
}

/** The reason for a missing number, and the count of the feed. */
function noteOn({ spaces }: LiveEntry, assessment: Assessment, clock: LocalClock): string | undefined {
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

const WRITTEN = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
})

/** The day and time by the island's clock, such as `Monday 16 November at 09:00`. */
function timeAndDay(at: number, clock: LocalClock): string {
  return WRITTEN.format(clock.wallTime(at))
}
