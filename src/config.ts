import { existsSync, readFileSync, statSync } from 'node:fs'
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
import { errorCode } from './values/system/error-code.ts'
import { availableCores } from './values/system/machine.ts'
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
const LOG_FORMATS = ['numbers', 'words'] as const

const NONE: string[] = []

/** A path. The variable of such a setting names the file, so it has no second variable that does. */
const FILE_PATH = text({ maxLength: 4096 })

/** Every setting of the service: an environment variable, or the file that {@link fileVariable} names. `npm run generate` writes them into docs/reference/configuration.md. */
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
  ADMIN_TOKEN: setting(
    { ...matching(/^[!-~]{16,200}$/, '16 to 200 visible ASCII characters'), shown: () => '…' },
    undefined,
    'Token for the pages of the journal, `/journal` on the admin port. It is never printed. None: there are no such pages.',
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
    'Addresses of trusted proxies. Only requests from these addresses may name their client in `X-Forwarded-For`.',
  ),
  VEHICLES_RATE_LIMIT: setting(
    integer({ minimum: 0, maximum: 1_000_000_000 }),
    600,
    'Requests per hour and client on `GET /v1/vehicles`; 0 disables the limit.',
  ),
  REDIS_URL: setting(
    redisAddress(),
    undefined,
    'Redis or Valkey, where all instances count requests together. Without it, each instance counts alone.',
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
  LIVE_FEED_TIME_ZONE: setting(
    timeZone(),
    undefined,
    'Time zone of the times in the feed. None: the island’s.',
  ),
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
  KEEP_RELEASES: setting(
    matching(
      /^(?:[2-9]|[1-9]\d{1,2}|1000|[1-9]\d{0,3}d)$/,
      'a number of releases from 2 to 1000, or of days from 1d to 9999d',
    ),
    '5',
    'How many releases of each dataset an import keeps, or for how many days, such as `400d`. The current release and the one before it are always kept.',
  ),
  SOURCES: setting(
    FILE_PATH,
    undefined,
    'JSON file with the sources that the service fetches and publishes on a schedule. Without it, the service fetches no sources.',
  ),
  CORRECTIONS: setting(
    FILE_PATH,
    undefined,
    'CSV file with values that imports publish in place of the sources’, relative to the working directory. None: nothing is corrected.',
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
  ISLAND: setting(
    FILE_PATH,
    undefined,
    'JSON file with the facts about the island: name, bounds, parishes, holidays and coastline, relative to the working directory. None: the facts that the service was built with.',
  ),
  METADATA: setting(
    FILE_PATH,
    undefined,
    'JSON file with publisher, licence and contact of the data, and title of the service, relative to the working directory. None: nobody is named.',
  ),
  MAP_FILE: setting(
    FILE_PATH,
    undefined,
    'PMTiles file with the streets of the map, relative to the working directory. None: the map shows the island’s outline.',
  ),
  MAP_TILE_URL: setting(
    tileUrl(),
    undefined,
    'Address of raster tiles for the map. Browsers load them from another host. Deprecated: use `MAP_FILE`, which goes before it.',
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
  WORKERS: setting(
    workers(),
    1,
    'Processes that share the port of `pds serve`, each with the releases in its memory; `auto` means one for each core.',
  ),
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', 'Minimum level of log messages.'),
  LOG_FORMAT: setting(
    oneOf(LOG_FORMATS),
    'numbers',
    'Levels and times in the JSON lines of the log: `numbers` (`"level":30` and milliseconds since 1970) or `words` (`"level":"info"` and ISO 8601 in UTC).',
  ),
} as const

/** A number of processes. */
function workers(): ValueType<number> {
  const count = integer({ minimum: 1, maximum: 256 })
  return {
    ...count,
    allowed: `${count.allowed}, or auto`,
    parse: value => (value === 'auto' ? availableCores() : count.parse(value)),
  }
}

/** A short text of a pattern. */
function matching(pattern: RegExp, allowed: string): ValueType<string> {
  const parse = (value: string) => {
    if (pattern.test(value)) return value
    throw new NotAllowed(`must be ${allowed}`)
  }
  return { ...text({ maxLength: 200 }), allowed, parse }
}

type Settings = typeof SETTINGS
type Name = keyof Settings
const NAMES = Object.keys(SETTINGS) as Name[]
type Value<S> = S extends Setting<infer T, infer D> ? (undefined extends D ? T | undefined : T) : never

/** The service's whole configuration, typed. */
export type Config = { readonly [N in Name]: Value<Settings[N]> }

/** The file that ISLAND names. Declarations need it as soon as they are loaded, before a command reads its configuration. */
export const islandFile = process.env.ISLAND?.trim() || undefined

/** An environment variable has an invalid value; the message is one line that names it and the allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variable that names the file with a setting's value; undefined for a setting that is itself a path. */
export const fileVariable = (name: Name): string | undefined =>
  SETTINGS[name].type === FILE_PATH ? undefined : `${name}_FILE`

/** Reads the configuration. An empty variable counts as unset. Throws {@link ConfigError}. */
export function readConfig(environment: Environment): Config {
  const entries = NAMES.map(name => {
    const { type, default: defaultValue } = SETTINGS[name]
    const value = givenText(name, environment)
    return [name, value ? parsed(name, value, type as ValueType<unknown>) : defaultValue]
  })
  return Object.fromEntries(entries) as Config
}

/** The text of a setting, from its variable or its file; undefined or empty without both. Throws {@link ConfigError}. */
export function givenText(name: Name, environment: Environment): string | undefined {
  const value = environment[name]?.trim()
  const file = fileOf(name, environment)
  if (file === undefined) return value
  const { variable, path } = file
  if (value) throw new ConfigError(`${name} and ${variable} are both set: unset one of them`)
  const content = readText(variable, path, `a file that has the value of ${name}`).trim()
  if (content === '')
    throw new ConfigError(`${variable}: ${path}: is empty; it must have the value of ${name}`)
  if (/[\r\n]/.test(content)) throw new ConfigError(`${variable}: ${path}: has several lines; allowed: one`)
  return content
}

/** Variables that are probably not as they are meant, each with the problem and the advice for one line. */
export const doubtfulVariables = (environment: Environment) => [
  ...Object.keys(environment).flatMap(misspelt),
  ...SECRETS.flatMap(name => exposed(fileOf(name, environment))),
]

/** The settings that may have a password or another secret. */
const SECRETS: Name[] = [
  'ADMIN_TOKEN',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'NOTIFY_URL',
  'NOTIFY_SECRET',
]

function misspelt(name: string) {
  // Without the ending, which would make many names alike: LOG_FILE is no misspelt PORT_FILE.
  const stem = name.replace(/_FILE$/, '')
  const meant = nearest(stem, NAMES) as Name | undefined
  if (meant === undefined || name === meant || name === fileVariable(meant)) return []
  // Short names resemble many others: HOME is no misspelt HOST.
  if (stem !== meant && (meant.length < 8 || !stem.includes('_'))) return []
  const variable = stem === name ? meant : (fileVariable(meant) ?? meant)
  return { name, problem: 'is not a variable of this service', advice: `if ${variable} is meant, rename it` }
}

const READABLE_BY_ALL = 0o004

function exposed(file: ReturnType<typeof fileOf>) {
  // The modes of Windows do not say who may read.
  if (file === undefined || process.platform === 'win32' || !existsSync(file.path)) return []
  if ((statSync(file.path).mode & READABLE_BY_ALL) === 0) return []
  const problem = `names ${file.path}, which every user of this machine can read`
  return { name: file.variable, problem, advice: 'let only the service read it (chmod 400)' }
}

/** The file that the environment names for a setting. */
function fileOf(name: Name, environment: Environment) {
  const variable = fileVariable(name)
  const path = variable && environment[variable]?.trim()
  return variable && path ? { variable, path } : undefined
}

/** Reads the text file that a variable names. `wanted` says which files are allowed. Throws {@link ConfigError}. */
export function readText(variable: string, path: string, wanted: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${variable}: ${path}: cannot be read (${errorCode(error)}); name ${wanted}`)
  }
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
