import Type, { type TSchema, type TUnsafe } from 'typebox'
import { ISLAND, PARISHES, SPELLINGS } from '../island/island.ts'
import {
  CALENDAR_DATE,
  CAPABILITIES,
  CODE,
  type FieldCapabilities,
  KNOWN_VALUES,
  MEANINGS,
  UNIT,
} from '../query/fields.ts'

/*
 * The kinds of fields of records. Each kind is a JSON Schema. Import (releases/import), storage, query parameters,
 * OpenAPI and the types follow from the schema, so a dataset declares a field once.
 */

interface About extends FieldCapabilities {
  description: string
  examples?: unknown[]
  minimum?: number
  maximum?: number
  pattern?: string
  /** For a text that is a document: the search looks only at its visible text. */
  contentMediaType?: 'text/html'
  /** The unit of a number, as people write it: `kg`. */
  unit?: string
  /** The value if the source's value is blank or absent. */
  default?: unknown
}

/** The keywords of a field's JSON Schema. All capabilities are in one keyword, which OpenAPI does not show. */
function keywords(about: About) {
  const { filter, several, sort, count, measure, search, label, parameter, ...others } = about
  const { values, synonyms, otherWords, unit, ...keywords } = others
  const words = { filter, several, sort, count, measure, search, label, parameter }
  const given = Object.entries({ ...words, values, synonyms, otherWords })
  const capabilities = given.filter(([, value]) => value !== undefined)
  return { ...keywords, [UNIT]: unit, [CAPABILITIES]: Object.fromEntries(capabilities) }
}

/** The values of an enumeration, with their meanings in words if the values do not explain themselves. */
type Values<V extends string> = readonly V[] | Readonly<Record<V, string>>

const valuesAs = <V extends string>(keyword: 'enum' | typeof KNOWN_VALUES, values: Values<V>): object =>
  Array.isArray(values) ? { [keyword]: values } : { [keyword]: Object.keys(values), [MEANINGS]: values }

const nullable = <T>(type: string, about: About, more: object = {}): TUnsafe<T | null> =>
  Type.Unsafe({ type: [type, 'null'], ...more, ...keywords(about) })

export const text = (about: About) => Type.String(keywords(about))

export const nullableText = (about: About) => nullable<string>('string', about)

/** A code of digits, as text: it may start with 0. */
export const nullableCode = (about: About) => nullable<string>('string', about, { [CODE]: true })

export const integer = (about: About) => Type.Integer(keywords(about))

export const nullableNumber = (about: About) => nullable<number>('number', about)

export const nullableInteger = (about: About) => nullable<number>('integer', about)

export const flag = (about: About) => Type.Boolean(keywords(about))

export const nullableFlag = (about: About) => nullable<boolean>('boolean', about)

export const uuid = (about: About) => Type.String({ format: 'uuid', ...keywords(about) })

export const nullableUuid = (about: About) => nullable<string>('string', about, { format: 'uuid' })

/** ISO 8601 UTC with milliseconds and a trailing Z. */
export const timestamp = (about: About) => Type.String({ format: 'date-time', ...keywords(about) })

export const nullableTimestamp = (about: About) => nullable<string>('string', about, { format: 'date-time' })

/** A calendar date, served as midnight UTC of that date. */
export const nullableDate = (about: About) =>
  nullable<string>('string', about, { format: 'date-time', [CALENDAR_DATE]: true })

/** A value of a closed list: an import refuses any other value. */
export const enumeration = <V extends string>(values: Values<V>, about: About): TUnsafe<V> =>
  Type.Unsafe({ type: 'string', ...valuesAs('enum', values), ...keywords(about) })

/** A value of an enumeration, or null. */
export const nullableEnumeration = <V extends string>(values: readonly V[], about: About) =>
  nullable<V>('string', about, { enum: [...values, null] })

const list = <T>(items: object, about: About): TUnsafe<T[]> =>
  Type.Unsafe({ type: 'array', items: { type: 'string', ...items }, ...keywords(about) })

/** A list of values of an enumeration. */
export const enumerationList = <V extends string>(values: Values<V>, about: About) =>
  list<V>(valuesAs('enum', values), about)

/** A value of an open enumeration: an import also publishes unknown values, with a warning. */
export const openEnumeration = (known: Values<string>, about: About): TUnsafe<string> =>
  Type.Unsafe({ type: 'string', ...valuesAs(KNOWN_VALUES, known), ...keywords(about) })

export const nullableOpenEnumeration = (known: Values<string>, about: About) =>
  nullable<string>('string', about, valuesAs(KNOWN_VALUES, known))

/** A list of values of an open enumeration. */
export const openEnumerationList = (known: Values<string>, about: About) =>
  list<string>(valuesAs(KNOWN_VALUES, known), about)

/** An object or null. OpenAPI has the schema without a name, because a named schema cannot be null. */
export const nullableObject = <S extends TSchema & { $id?: string; title?: string }>(
  schema: S,
  about: About,
): TUnsafe<Type.Static<S> | null> => {
  const { $id: _id, title: _title, ...shape } = schema
  return Type.Unsafe({ ...shape, type: ['object', 'null'], ...about })
}

export const latitude = () =>
  nullableNumber({
    description: 'Degrees north, WGS 84, up to 8 decimals. Null where the publisher gives none.',
    examples: [ISLAND.centre.latitude],
    unit: 'degrees',
    minimum: -90,
    maximum: 90,
  })

export const longitude = () =>
  nullableNumber({
    description: 'Degrees east, WGS 84, up to 8 decimals. Null where the publisher gives none.',
    examples: [ISLAND.centre.longitude],
    unit: 'degrees',
    minimum: -180,
    maximum: 180,
  })

export const id = () =>
  uuid({
    description:
      "The publisher's id; without one, a UUID version 5 derived from the record's natural key, the same at every import.",
    examples: ['03d8bf66-e451-4a20-b3e5-96f8c1293f2c'],
  })

export const createdAt = () =>
  timestamp({
    description: 'The publisher’s time of creation; without one, the time when the id was first imported.',
    examples: ['2024-07-01T13:01:56.000Z'],
  })

export const parish = () =>
  text({
    filter: 'equals',
    several: true,
    count: true,
    values: PARISHES,
    synonyms: SPELLINGS,
    description: 'The parish, in the publisher’s spelling.',
    examples: PARISHES.slice(0, 1),
  })

const ownerFields = {
  id: nullableUuid({ description: 'Id of the company; null where only its name is known.' }),
  name: nullableText({ description: 'Name of the company.', examples: ['Harbours Department'] }),
}

/** An owner that is always an object, so that `owner.name` never throws. Both fields of an unknown owner are null. */
export const owner = () =>
  Type.Object(ownerFields, {
    description: 'Who owns it; with null id and name where unknown.',
    default: { id: null, name: null },
  })

export const nullableOwner = () =>
  nullableObject(Type.Object(ownerFields), { description: 'Who owns it; null where unknown.' })
