import { ISLAND } from './island/island.ts'
import {
  addressOrCidr,
  contactUri,
  databaseAddress,
  httpUrl,
  postgresAddress,
  publicUrl,
  tileUrl,
  timeZone,
} from './values/addresses/addresses.ts'
import { redisAddress } from './values/addresses/redis-address.ts'
import { withoutSecrets } from './values/addresses/shown-address.ts'
import { nearest } from './values/text.ts'
import { integer, listOf, NotAllowed, oneOf, text, type ValueType } from './values/values.ts'
import { webhookSecret } from './values/webhook-secret.ts'

/** An environment variable. Without a default, the feature that it enables stays off. */
interface Setting<T, D> {
  readonly type: ValueType<T>
  readonly default: D
  /** Markdown, in one line. */
  readonly meaning: string
}

const setting = <T, D extends T | undefined>(
  type: ValueType<T>,
  defaultValue: D,
  meaning: string,
): Setting<T, D> => ({
  type,
  default: defaultValue,
  meaning,
})

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const NONE: string[] = []

/** Every environment variable that the service reads. `npm run generate` writes them into docs/reference/configuration.md. */
export const SETTINGS = {
  HOST: setting(
    text({ maxLength: 253 }),
    '127.0.0.1',
    'Address on which both listeners listen. `0.0.0.0` means all IPv4 addresses of the machine, `::` all addresses.',
  ),
  PORT: setting(
    integer({ minimum: 0, maximum: 65535 }),
    8080,
    'Port of the public listener; 0 picks a free one.',
  ),
  ADMIN_PORT: setting(
    integer({ minimum: 0, maximum: 65535 }),
    9090,
    'Port of the admin listener (`/livez`, `/readyz`, `/metrics`), on the same `HOST`; 0 disables it.',
  ),
  DATABASE_URL: setting(
    databaseAddress(),
    'sqlite:./data',
    'The store: a folder, relative to the working directory, or a PostgreSQL database. Without it, `pds demo` uses `sqlite:./data/demo`.',
  ),
  DATABASE_READ_URL: setting(
    postgresAddress(),
    undefined,
    'A PostgreSQL server with the same data as `DATABASE_URL`, such as a standby, from which releases are read. None: releases are read from `DATABASE_URL`.',
  ),
  BASE_URL: setting(
    publicUrl(),
    undefined,
    'Public base address, with which every link begins. It may have a path, such as `https://example.org/open-data`, that a proxy strips from requests. None: the address of the listener.',
  ),
  TRUST_PROXY: setting(
    listOf(addressOrCidr()),
    NONE,
    'Addresses of trusted proxies: their `X-Forwarded-For` is used.',
  ),
  VEHICLES_RATE_LIMIT: setting(
    integer({ minimum: 0, maximum: 1_000_000_000 }),
    600,
    'Requests per hour and client on `GET /v1/vehicles`; 0 disables the limit.',
  ),
  REDIS_URL: setting(
    redisAddress(),
    undefined,
    'Redis or Valkey, where all instances count requests together. None: each instance counts on its own.',
  ),
  RATE_LIMIT_INSTANCES: setting(
    integer({ minimum: 1, maximum: 10_000 }),
    1,
    'Number of instances. Without Redis, or while it is unavailable, each instance allows the limit divided by this number, rounded up.',
  ),
  PAGE_LIMIT_MAX: setting(
    integer({ minimum: 1, maximum: 100_000_000 }),
    1_000_000,
    'The largest `limit` of a page. Pages of more than 1,000 entries are streamed.',
  ),
  TABLE_ENGINE: setting(
    oneOf<'memory' | 'sql'>(['memory', 'sql']),
    'memory',
    'Where vehicles are queried: in memory, or by sql, for a register beyond the memory of one machine (PostgreSQL alone). An import stores them accordingly.',
  ),
  TABLE_PRERENDER_MB: setting(
    integer({ minimum: 0, maximum: 1_000_000 }),
    1024,
    'Megabytes for prerendered JSON of vehicles, which an import writes. If not all vehicles fit, pages are assembled from columns.',
  ),
  RESPONSE_CACHE_MB: setting(
    integer({ minimum: 0, maximum: 1_000_000 }),
    64,
    'Megabytes for cached responses about vehicles; 0 disables this cache.',
  ),
  LIVE_FEED_URL: setting(
    httpUrl(),
    undefined,
    'Address of the live car park feed. None: the service polls no feed and serves the last stored reading.',
  ),
  LIVE_FEED_INTERVAL_S: setting(
    integer({ minimum: 1, maximum: 3600 }),
    60,
    'Seconds between two polls of the feed.',
  ),
  LIVE_FEED_TIME_ZONE: setting(timeZone(), ISLAND.timeZone, 'Time zone of the times in the feed.'),
  LIVE_HISTORY_DAYS: setting(
    integer({ minimum: 1, maximum: 100_000 }),
    undefined,
    'Retention of live readings in days. Older readings are deleted every hour, except the feed’s last. Below 84, forecasts and typical weeks have less data after a restart. None: all readings are kept.',
  ),
  LIVE_STREAM_CLIENTS: setting(
    integer({ minimum: 0, maximum: 100_000 }),
    1000,
    'Maximum number of open streams of live spaces; 0 allows none. One client may have a tenth of them.',
  ),
  SOURCES: setting(
    text({ maxLength: 4096 }),
    undefined,
    'JSON file with the sources that the service fetches and publishes on a schedule. None: it fetches none.',
  ),
  NOTIFY_URL: setting(
    httpUrl(),
    undefined,
    'Webhook that gets a message when something needs you. It may contain secrets; messages show scheme and host alone. None: no messages are sent.',
  ),
  NOTIFY_SECRET: setting(
    webhookSecret(),
    undefined,
    'Secret that signs notifications. It is never printed. None: they are not signed.',
  ),
  NOTIFY_AFTER_H: setting(
    integer({ minimum: 1, maximum: 1000 }),
    6,
    'Hours for which a source may fail before a message is sent to `NOTIFY_URL`.',
  ),
  UNAVAILABLE_DATASETS: setting(listOf(text({ maxLength: 50 })), NONE, 'Names of datasets that return 503.'),
  METADATA: setting(
    text({ maxLength: 4096 }),
    undefined,
    'JSON file with publisher, licence and contact of the data, and title of the service, relative to the working directory. None: nobody is named.',
  ),
  MAP_TILE_URL: setting(
    tileUrl(),
    undefined,
    'Address of raster tiles for the map. None: the map shows the island’s outline, and pages load nothing from another host.',
  ),
  MAP_TILE_ATTRIBUTION: setting(
    text({ maxLength: 200 }),
    '© OpenStreetMap contributors',
    'Whom the map names for the tiles of `MAP_TILE_URL`, as plain text.',
  ),
  SECURITY_CONTACT: setting(
    contactUri(),
    undefined,
    'Address for reports of vulnerabilities, published in `/.well-known/security.txt`. None: there is no such file.',
  ),
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', 'Minimum level of log messages.'),
} as const

type Settings = typeof SETTINGS
type Name = keyof Settings
type Value<S> = S extends Setting<infer T, infer D> ? (undefined extends D ? T | undefined : T) : never

/** The service's whole configuration, typed. */
export type Config = { readonly [N in Name]: Value<Settings[N]> }

/** An environment variable has an invalid value; the message is one line that names it and the allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads the configuration. An empty variable counts as unset. Throws {@link ConfigError}. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(SETTINGS).map(([name, { type, default: defaultValue }]) => {
    const value = environment[name]?.trim()
    return [name, value ? parsed(name, value, type as ValueType<unknown>) : defaultValue]
  })
  return Object.fromEntries(entries) as Config
}

/** Environment variables whose names resemble a setting, each with the setting that may be meant. */
export function misspeltVariables(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly meant: string }[] {
  return Object.keys(environment).flatMap(name => {
    if (name in SETTINGS) return []
    const meant = nearest(name, Object.keys(SETTINGS))
    // Short names resemble many others: HOME is no misspelt HOST.
    if (meant === undefined || meant.length < 8 || !name.includes('_')) return []
    return [{ name, meant }]
  })
}

function parsed<T>(name: string, value: string, type: ValueType<T>): T {
  try {
    return type.parse(value)
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    const { shown = withoutSecrets, allowed } = type
    // A reason with "must be" only repeats the allowed values.
    const reason = error.message.startsWith('must be ') ? '' : `, but ${error.message}`
    throw new ConfigError(`${name} is "${shown(value).slice(0, 100)}"${reason}; allowed: ${allowed}`)
  }
}
