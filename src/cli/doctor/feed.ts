import type { Config } from '../../config.ts'
import { fetchFeed } from '../../parking/feed/fetch-feed.ts'
import { observe } from '../../parking/feed/mapping/observation.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { counted } from '../../values/numbers.ts'
import { DAY_MS, MINUTE_MS } from '../../values/time-units.ts'
import { type Check, fail, ok, warn } from './check.ts'

const SUBJECT = 'live feed'
const FAR_MS = DAY_MS

/** Fetches the feed once, as the service would, and checks its contents. */
export async function checkFeed(config: Config, now = new Date()): Promise<Check[]> {
  const { LIVE_FEED_URL: url, LIVE_FEED_TIME_ZONE: timeZone } = config
  if (url === undefined)
    return [warn(SUBJECT, 'LIVE_FEED_URL is not set: nothing is polled', 'set it to have live free spaces')]
  try {
    const { text = '' } = await fetchFeed(url)
    const { observation, warnings } = observe(text, { now, timeZone })
    const timestamp = observation?.timestamp ?? now.toISOString()
    const found = `${counted(observation?.entries.length ?? 0, 'car park')}, updated ${timestamp}`
    const advice = 'the service uses the rest; inform the feed’s publisher'
    return [
      age(found, now.getTime() - Date.parse(timestamp)),
      ...warnings.map(warning => warn(SUBJECT, warning.text, advice)),
    ]
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return [fail(SUBJECT, error.message, 'check LIVE_FEED_URL and that this machine may reach it')]
  }
}

function age(found: string, milliseconds: number): Check {
  if (milliseconds >= FAR_MS) {
    const advice = 'the feed may have stopped, or LIVE_FEED_TIME_ZONE is wrong'
    return warn(SUBJECT, `${found}, more than a day ago`, advice)
  }
  // One reading cannot distinguish a stopped feed from one without summer time; the service waits for three.
  if (milliseconds >= 55 * MINUTE_MS && milliseconds <= 65 * MINUTE_MS) {
    const advice = 'the feed may be stuck or ignore summer time, or the clock of this machine is ahead'
    return warn(SUBJECT, `${found}, about an hour ago`, advice)
  }
  return ok(SUBJECT, found)
}
