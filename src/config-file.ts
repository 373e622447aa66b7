import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { ConfigError, readText } from './config.ts'
import { withoutSecrets } from './values/addresses/shown-address.ts'
import { messageOf } from './values/system/error-code.ts'
import { cut, suggestion } from './values/text.ts'
import { memberOf } from './values/values.ts'

/** A value in a configuration file is not allowed. `place` is a JSON pointer (RFC 6901), such as `/sources/0/every`. */
export class ConfigFileError extends ConfigError {
  override name = 'ConfigFileError'
  constructor(variable: string, path: string, place: string, reason: string) {
    super(`${variable}: ${path}${place === '' ? '' : `, ${place}`}: ${reason}`)
  }
}

/**
 * Reads the JSON file that a variable names, and validates it. The `description` of a schema says what is allowed. Throws
 * {@link ConfigError} with the first mistake.
 */
export function readConfigFile<S extends TSchema>(variable: string, path: string, schema: S): Static<S> {
  const value = parseFile(variable, path)
  const validator = Compile(schema)
  if (validator.Check(value)) return value
  const error = validator.Errors(value).find(({ keyword }) => keyword !== 'boolean')
  const place = error?.instancePath ?? ''
  throw new ConfigFileError(variable, path, place, explain(error, schema, valueAt(value, place)))
}

function parseFile(variable: string, path: string): unknown {
  const content = readText(variable, path, 'a JSON file that is there')
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ConfigFileError(variable, path, '', `is not JSON: ${messageOf(error)}`)
  }
}

function explain(error: TLocalizedValidationError | undefined, schema: TSchema, value: unknown): string {
  if (error === undefined) return 'does not match its schema'
  const { message } = error
  if (error.keyword === 'required') return `lacks ${error.params.requiredProperties.join(', ')}`
  const about = schemaAt(schema, error.instancePath)
  if (error.keyword === 'additionalProperties') {
    const [unknown = ''] = error.params.additionalProperties
    const known = Object.keys(about.properties ?? {})
    const hint = suggestion(unknown, known, meant => `; did you mean "${meant}"?`)
    return `has "${cut(unknown, 80)}", which is unknown${hint} Allowed: ${known.join(', ')}`
  }
  const { enum: values, description = message } = about
  return `is ${cut(withoutSecrets(JSON.stringify(value) ?? 'absent'), 80)}; allowed: ${values?.join(', ') ?? description}`
}

/** The parts of a JSON pointer. */
const partsOf = (place: string): string[] =>
  place
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(value: unknown, place: string): unknown {
  return partsOf(place).reduce((at: unknown, part) => memberOf(at, part), value)
}

/** The schema of the value at a place: of a property, a pattern of properties or an item. */
function schemaAt(schema: TSchema, place: string): Described {
  return partsOf(place).reduce(
    ({ properties, items, additionalProperties }: Described, part) =>
      properties?.[part] ?? items ?? additionalProperties ?? {},
    schema,
  )
}

/** The parts of a schema that messages use, and its inner schemas. */
interface Described {
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly additionalProperties?: Described
}
