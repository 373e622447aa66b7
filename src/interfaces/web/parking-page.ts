import type { Forecast } from '../../parking/forecast/forecast.ts'
import type { LocalClock } from '../../parking/local-clock.ts'
import type { Verdict } from '../../parking/quality/quality.ts'
import type { LiveEntry } from '../../store/store.ts'
import { type Html, html, page } from './page.ts'

/** A car park as people see it. */
export interface ParkingRow {
  readonly entry: LiveEntry
  readonly verdict: Verdict
  /** Undefined where there is no forecast. */
  readonly forecast: Forecast | undefined
}

export interface ParkingPageOptions {
  /** Undefined where there is no reading yet. */
  readonly rows: readonly ParkingRow[] | undefined
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  readonly clock: LocalClock
  readonly synthetic: boolean
}

const MINUTES_AHEAD = 60
const REFRESH_S = 60

/** The free spaces now and in an hour, for people: a count that cannot be trusted is not given as one. */
export function parkingPage({ rows, at, clock, synthetic }: ParkingPageOptions): string {
  const title = 'Free parking spaces'
  if (rows === undefined)
    return page({ title, synthetic, body: html`<p>There is no count yet. Please try again in a minute.</p>` })
  const body = html`<p>Counted ${timeAndDay(at, clock)}. The page renews itself every minute.</p>
<table class="parking">
<thead><tr><th scope="col">Car park</th><th scope="col">Free now</th><th scope="col">In an hour</th></tr></thead>
<tbody>
${rows.map(row => tableRow(row, clock))}</tbody>
</table>
<p class="facts">“In an hour” is what is likely, and below it the range that holds in four cases of five. Counts are the feed's own;
each is judged from its own past: <a href="/v1/carparks/live-spaces?include=quality">as data</a>.</p>
<p><a href="/">All datasets</a></p>`
  return page({ title, body, synthetic, refreshSeconds: REFRESH_S })
}

function tableRow({ entry, verdict, forecast }: ParkingRow, clock: LocalClock): Html {
  const note = noteOn(entry, verdict, clock)
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
  return html`<tr><th scope="row">${entry.name}</th><td>${freeNow(entry, verdict)}</td><td>${expected}</td></tr>
${why}`
}

function freeNow({ spaces }: LiveEntry, { quality }: Verdict): Html {
  if (quality === 'good') return html`<strong>${String(spaces)}</strong>`
  return quality === 'closed' ? html`closed` : html`<span class="unknown">not known</span>`
}

/** Why a count is not given, and what the feed says all the same. */
function noteOn({ spaces }: LiveEntry, verdict: Verdict, clock: LocalClock): string | undefined {
  const since = verdict.changedAt === null ? '' : ` since ${timeAndDay(verdict.changedAt, clock)}`
  switch (verdict.quality) {
    case 'frozen':
      return `The counter has shown ${spaces}${since}, when it normally moves.`
    case 'stale':
      return `No new count; the last was ${spaces}.`
    case 'implausible':
      return `The feed says ${spaces}, which cannot be.`
    case 'missing':
      return 'The feed does not count it now.'
    default:
      return undefined
  }
}

const WRITTEN = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
})

/** By the island's clock, such as `Monday 16 November at 09:00`. */
function timeAndDay(at: number, clock: LocalClock): string {
  return WRITTEN.format(clock.wallTime(at))
}
