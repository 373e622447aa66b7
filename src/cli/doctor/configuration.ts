import { type Config, ConfigError, doubtfulVariables, readConfig, SETTINGS } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { type Metadata, readMetadata } from '../../datasets/metadata.ts'
import { MapFileError, openMapFile } from '../../interfaces/web/map-file.ts'
import { ISLAND } from '../../island/island.ts'
import { withoutSecrets } from '../../values/addresses/shown-address.ts'
import type { ValueType } from '../../values/values.ts'
import { type Check, fail, ok, warn } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Checks every variable, and variables with similar names. `config` has defaults in place of invalid values. */
export function checkConfiguration(environment: Environment): { checks: Check[]; config: Config } {
  const names = Object.keys(SETTINGS) as (keyof Config)[]
  const checked = names.map(name => ({ name, check: checkVariable(name, environment) }))
  const sound = checked.filter(({ check }) => check.status !== 'fail').map(({ name }) => name)
  const config = readConfig(only(sound, environment))
  const doubts = doubtfulVariables(environment).map(({ name, problem, advice }) =>
    warn(name, problem, advice),
  )
  const checks = [...checked.map(({ check }) => check), ...doubts, ...unknownDatasets(config)]
  return { checks, config }
}

/** The variables of these settings that are set. */
const only = (names: readonly string[], environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([variable, value]) =>
        value?.trim() && [variable, variable.replace(/_FILE$/, '')].some(name => names.includes(name)),
    ),
  )

function checkVariable(name: keyof Config, environment: Environment): Check {
  const given = only([name], environment)
  try {
    const value = shownValue(name, readConfig(given)[name])
    return ok(name, `${value}${Object.keys(given).length === 0 ? ' (default)' : ''}`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return fail(name, error.message, `set ${name} to what is allowed, or unset it`)
  }
}

function unknownDatasets(config: Config): Check[] {
  const names = DATASETS.map(dataset => dataset.name)
  return config.UNAVAILABLE_DATASETS.filter(name => !names.includes(name)).map(name =>
    warn('UNAVAILABLE_DATASETS', `"${name}" is not a dataset`, `name any of ${names.join(', ')}`),
  )
}

/** Reads the file that METADATA names; `metadata` is absent if this fails. */
export function checkMetadata({ METADATA }: Config): { checks: Check[]; metadata?: Metadata } {
  try {
    const metadata = readMetadata(METADATA, DATASETS)
    return { checks: METADATA === undefined ? [] : [ok('metadata', `${METADATA} can be used`)], metadata }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { checks: [fail('metadata', error.message, 'correct the file, or unset METADATA')] }
  }
}

/** Formats a value without secrets, since users paste the doctor's output into reports. */
function shownValue(name: keyof Config, value: Config[keyof Config]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  const { shown = withoutSecrets }: Pick<ValueType<unknown>, 'shown'> = SETTINGS[name].type
  return text === '' ? 'none' : shown(text)
}

/** Reads the start of the file that MAP_FILE names. */
export function checkMap({ MAP_FILE: path, MAP_TILE_URL }: Config): Check[] {
  if (path === undefined)
    return MAP_TILE_URL === undefined
      ? []
      : [warn('map', 'MAP_TILE_URL is deprecated', 'set MAP_FILE instead')]
  try {
    const { bytes, bounds, zooms } = openMapFile(path)
    const [west = 0, south = 0, east = 0, north = 0] = bounds
    const { longitude, latitude } = ISLAND.centre
    if (west > longitude || south > latitude || east < longitude || north < latitude)
      return [warn('map', `${path} does not show the middle of ${ISLAND.name}`, 'make it with its bounds')]
    return [ok('map', `${path} can be used: zooms ${zooms.join(' to ')}, ${Math.ceil(bytes / 1e6)} MB`)]
  } catch (error) {
    if (!(error instanceof MapFileError)) throw error
    return [fail('map', error.message, 'correct the file, or unset MAP_FILE')]
  }
}
