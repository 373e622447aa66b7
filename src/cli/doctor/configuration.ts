import { type Config, ConfigError, misspeltVariables, readConfig, SETTINGS } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { type Metadata, readMetadata } from '../../datasets/metadata.ts'
import { withoutSecrets } from '../../values/addresses/shown-address.ts'
import type { ValueType } from '../../values/values.ts'
import { type Check, fail, ok, warn } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Checks every variable, and variables with similar names. `config` has defaults in place of invalid values. */
export function checkConfiguration(environment: Environment): { checks: Check[]; config: Config } {
  const names = Object.keys(SETTINGS) as (keyof Config)[]
  const checked = names.map(name => ({ name, check: checkVariable(name, environment) }))
  const sound = checked.filter(({ check }) => check.status !== 'fail').map(({ name }) => name)
  const config = readConfig(Object.fromEntries(sound.map(name => [name, environment[name]])))
  const checks = [...checked.map(({ check }) => check), ...misspelt(environment), ...unknownDatasets(config)]
  return { checks, config }
}

function checkVariable(name: keyof Config, environment: Environment): Check {
  try {
    const config = readConfig({ [name]: environment[name] })
    const isDefault = !environment[name]?.trim()
    return ok(name, `${shownValue(name, config[name])}${isDefault ? ' (default)' : ''}`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return fail(name, error.message, `set ${name} to what is allowed, or unset it`)
  }
}

function misspelt(environment: Environment): Check[] {
  return misspeltVariables(environment).map(({ name, meant }) =>
    warn(name, 'is not a variable of this service', `if ${meant} is meant, rename it`),
  )
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
