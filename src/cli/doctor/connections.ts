import { type Config, ConfigError } from '../../config.ts'
import { connectRedis } from '../../limits/redis-connection.ts'
import { failureOf } from '../../limits/redis-failure.ts'
import { PATIENCE_MS } from '../../limits/shared-counts.ts'
import { fetchFeed } from '../../parking/feed/fetch-feed.ts'
import { observe } from '../../parking/feed/mapping.ts'
import { feedTimeZone } from '../../parking/local-clock.ts'
import { type ConfiguredSource, readSources } from '../../publishing/sources-file.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { openSourceAddress } from '../../sources/fetch/source-address.ts'
import { readRedisAddress } from '../../values/addresses/redis-address.ts'
import { counted } from '../../values/numbers.ts'
import { DAY_MS, MINUTE_MS } from '../../values/time-units.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Counts once in Redis, as the service would. */
export async function checkRedis({ REDIS_URL: url }: Pick<Config, 'REDIS_URL'>): Promise<Check[]> {
  if (url === undefined)
    return [ok('redis', 'REDIS_URL is not set: each instance counts requests on its own')]
  const startedAt = performance.now()
  try {
    const connection = await connectRedis(readRedisAddress(url), PATIENCE_MS, () => {})
    connection.close()
    return [ok('redis', `connects and counts, in ${Math.ceil(performance.now() - startedAt)} ms`)]
  } catch (error) {
    return [
      fail(
        'redis',
        failureOf(error).message,
        'check REDIS_URL and that this machine may reach it; until then each instance counts requests on its own',
      ),
    ]
  }
}

const FEED = 'live feed'

/** Fetches the feed once, as the service would, and checks its contents. */
export async function checkFeed(config: Config, now = new Date()): Promise<Check[]> {
  const { LIVE_FEED_URL: url } = config
  if (url === undefined)
    return [warn(FEED, 'LIVE_FEED_URL is not set: nothing is polled', 'set it to have live free spaces')]
  try {
    const { text = '' } = await fetchFeed(url)
    const { observation, warnings } = observe(text, { now, timeZone: feedTimeZone(config) })
    const timestamp = observation?.timestamp ?? now.toISOString()
    const found = `${counted(observation?.entries.length ?? 0, 'car park')}, updated ${timestamp}`
    const advice = 'the service uses the rest; inform the feed’s publisher'
    return [
      age(found, now.getTime() - Date.parse(timestamp)),
      ...warnings.map(warning => warn(FEED, warning.text, advice)),
    ]
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return [fail(FEED, error.message, 'check LIVE_FEED_URL and that this machine may reach it')]
  }
}

function age(found: string, milliseconds: number): Check {
  if (milliseconds >= DAY_MS) {
    const advice = 'the feed may have stopped, or LIVE_FEED_TIME_ZONE is wrong'
    return warn(FEED, `${found}, more than a day ago`, advice)
  }
  // One reading cannot distinguish a stopped feed from one without summer time; the service waits for three.
  if (milliseconds >= 55 * MINUTE_MS && milliseconds <= 65 * MINUTE_MS) {
    const advice = 'the feed may be stuck or ignore summer time, or the clock of this machine is ahead'
    return warn(FEED, `${found}, about an hour ago`, advice)
  }
  return ok(FEED, found)
}

/** A source may be large; the doctor reads its first bytes. */
const TIMEOUT_MS = 10_000

/** Checks the file that SOURCES names, and requests each source as the service would. */
export async function checkSources(config: Config): Promise<Check[]> {
  try {
    const sources = readSources(config)
    if (sources.length === 0) return [ok('sources', 'none is followed')]
    return await Promise.all(sources.map(checkSource))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('sources', error.message, 'correct the file, or unset SOURCES')]
  }
}

async function checkSource({ dataset, address, entry }: ConfiguredSource): Promise<Check> {
  const { url, maxBytes, allowPrivate } = entry
  const subject = `source of ${dataset}`
  try {
    const opened = await openSourceAddress(url, { maxBytes, allowPrivate, timeoutMs: TIMEOUT_MS })
    try {
      let bytes = 0
      for await (const chunk of opened.chunks ?? []) {
        bytes = chunk.length
        break
      }
      const size = opened.headers['content-length']
      const found = size === undefined ? 'it answers' : `it answers, ${counted(Number(size), 'byte')}`
      if (bytes > 0) return ok(subject, `${address}: ${found}`)
      return fail(subject, `${address}: the response is empty`, 'check its url in the file of SOURCES')
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    const advice = 'check its url in the file of SOURCES, and that this machine may reach it'
    return fail(subject, `${address}: ${error.message}`, advice)
  }
}
