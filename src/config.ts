import {
  addressOrCidr,
  contactUri,
  databaseAddress,
  httpUrl,
  postgresAddress,
  publicUrl,
  tileUrl,
  timeZone,
} from './values/addresses.ts'
import { redisAddress } from './values/redis-address.ts'
import { withoutSecrets } from './values/shown-address.ts'
import { nearest } from './values/text.ts'
import { integer, listOf, NotAllowed, oneOf, text, type ValueType } from './values/values.ts'
import { webhookSecret } from './values/webhook-secret.ts'

/** An environment variable. Without a default, the feature that it enables stays off. */
interface Setting<T, D> {
  readonly type: ValueType<T>
  readonly default: D
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

/** Every environment variable that the service reads. A test compares docs/reference/configuration.md with this list. */
export const SETTINGS = {
  HOST: setting(
    text({ maxLength: 253 }),
    '127.0.0.1',
    'Address on which the public listener and the admin listener listen.',
  ),
  PORT: setting(
    integer({ minimum: 0, maximum: 65535 }),
    8080,
    'Port of the public listener; 0 takes a free one.',
  ),
  ADMIN_PORT: setting(
    integer({ minimum: 0, maximum: 65535 }),
    9090,
    'Port of the admin listener (/metrics, /livez, /readyz); 0 switches it off.',
  ),
  DATABASE_URL: setting(
    databaseAddress(),
    'sqlite:./data',
    'The store: `sqlite:` and a folder, or `postgres://` and a database.',
  ),
  DATABASE_READ_URL: setting(
    postgresAddress(),
    undefined,
    'Servers that hold the same as DATABASE_URL, such as standbys, from which releases are read.',
  ),
  BASE_URL: setting(
    publicUrl(),
    undefined,
    'Public base address, used in links; without it they are made from the listener.',
  ),
  TRUST_PROXY: setting(
    listOf(addressOrCidr()),
    [] as string[],
    'Addresses or CIDRs of the proxies whose X-Forwarded-For is believed.',
  ),
  VEHICLES_RATE_LIMIT: setting(
    integer({ minimum: 0, maximum: 1_000_000_000 }),
    600,
    'Requests per hour and client on GET /v1/vehicles; 0 switches the limit off.',
  ),
  REDIS_URL: setting(
    redisAddress(),
    undefined,
    'Redis or Valkey, in which all instances count requests together; without it each counts on its own.',
  ),
  RATE_LIMIT_INSTANCES: setting(
    integer({ minimum: 1, maximum: 10_000 }),
    1,
    'Instances among which the limit is divided while each counts on its own.',
  ),
  PAGE_LIMIT_MAX: setting(
    integer({ minimum: 1, maximum: 100_000_000 }),
    1_000_000,
    'The largest `limit` of a page. Pages of more than 1,000 entries are streamed.',
  ),
  TABLE_ENGINE: setting(
    oneOf(['memory', 'sql']),
    undefined,
    'Where vehicles are answered from; without it memory up to 5 million vehicles, beyond that sql.',
  ),
  TABLE_PRERENDER_MB: setting(
    integer({ minimum: 0, maximum: 1_000_000 }),
    1024,
    'Megabytes that vehicles may take as ready JSON in memory; where they do not fit, pages are put together from columns.',
  ),
  RESPONSE_CACHE_MB: setting(
    integer({ minimum: 0, maximum: 1_000_000 }),
    64,
    'Megabytes of cached responses about vehicles, kept until the next release; 0 caches none.',
  ),
  LIVE_FEED_URL: setting(
    httpUrl(),
    undefined,
    'Address of the live car park feed; without it nothing is polled.',
  ),
  LIVE_FEED_INTERVAL_S: setting(
    integer({ minimum: 1, maximum: 3600 }),
    60,
    'Seconds between two polls of the feed.',
  ),
  LIVE_FEED_TIME_ZONE: setting(timeZone(), 'Europe/Jersey', "Time zone of the feed's own time text."),
  LIVE_HISTORY_DAYS: setting(
    integer({ minimum: 1, maximum: 100_000 }),
    undefined,
    'Days for which live readings are kept; without it all are.',
  ),
  LIVE_STREAM_CLIENTS: setting(
    integer({ minimum: 0, maximum: 100_000 }),
    1000,
    'The most streams of live spaces that may be open at once, a tenth of them for one client; 0 lets in none.',
  ),
  SOURCES: setting(
    text({ maxLength: 4096 }),
    undefined,
    'JSON file with the sources that the service fetches and publishes by itself; without it none.',
  ),
  NOTIFY_URL: setting(
    httpUrl(),
    undefined,
    'Address of a webhook that is told what needs a person; without it none is.',
  ),
  NOTIFY_SECRET: setting(
    webhookSecret(),
    undefined,
    'Secret that signs what NOTIFY_URL is told; without it nothing is signed.',
  ),
  NOTIFY_AFTER_H: setting(
    integer({ minimum: 1, maximum: 1000 }),
    6,
    'Hours for which a source may fail before NOTIFY_URL is told.',
  ),
  UNAVAILABLE_DATASETS: setting(
    listOf(text({ maxLength: 50 })),
    [] as string[],
    'Datasets that are answered with 503, joined by commas.',
  ),
  METADATA: setting(
    text({ maxLength: 4096 }),
    undefined,
    'JSON file that says whose the data is: publisher, licence, contact, title; without it nobody is named.',
  ),
  MAP_TILE_URL: setting(
    tileUrl(),
    undefined,
    "Address of raster tiles for the map; without it the map shows the island's outline alone.",
  ),
  MAP_TILE_ATTRIBUTION: setting(
    text({ maxLength: 200 }),
    '© OpenStreetMap contributors',
    'Whom the map names for the tiles of MAP_TILE_URL.',
  ),
  SECURITY_CONTACT: setting(
    contactUri(),
    undefined,
    'Address for reports of vulnerabilities, published in /.well-known/security.txt; without it there is no such file.',
  ),
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', 'The least urgent level that is logged.'),
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

/** The environment variables that resemble one of the service's, each with the one that may be meant. */
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
    // A reason that says what a value must be says what is allowed.
    const reason = error.message.startsWith('must be ') ? '' : `, but ${error.message}`
    throw new ConfigError(`${name} is "${shown(value).slice(0, 100)}"${reason}; allowed: ${allowed}`)
  }
}
