import Type, { type TSchema, type TUnsafe } from 'typebox'
import { KNOWN_VALUES } from '../releases/import/known-values.ts'

/*
 * The kinds of field that records are made of. Each is a JSON Schema; reading a source (releases/conform.ts), OpenAPI
 * and the types all follow from it, so a dataset says everything about a field once.
 */

type About = {
  description: string
  examples?: unknown[]
  minimum?: number
  maximum?: number
  pattern?: string
  /** What a blank or absent value in a source becomes. */
  default?: unknown
}

export const text = (about: About) => Type.String(about)

export const nullableText = (about: About): TUnsafe<string | null> =>
  Type.Unsafe({ type: ['string', 'null'], ...about })

export const integer = (about: About) => Type.Integer(about)

export const nullableNumber = (about: About): TUnsafe<number | null> =>
  Type.Unsafe({ type: ['number', 'null'], ...about })

export const nullableInteger = (about: About): TUnsafe<number | null> =>
  Type.Unsafe({ type: ['integer', 'null'], ...about })

export const flag = (about: About) => Type.Boolean(about)

export const uuid = (about: About) => Type.String({ format: 'uuid', ...about })

export const nullableUuid = (about: About): TUnsafe<string | null> =>
  Type.Unsafe({ type: ['string', 'null'], format: 'uuid', ...about })

/** ISO 8601 UTC with milliseconds and a trailing Z. */
export const timestamp = (about: About) => Type.String({ format: 'date-time', ...about })

export const nullableTimestamp = (about: About): TUnsafe<string | null> =>
  Type.Unsafe({ type: ['string', 'null'], format: 'date-time', ...about })

/** A calendar date, served as midnight UTC of that date. */
export const nullableDay = (about: About): TUnsafe<string | null> =>
  Type.Unsafe({ type: ['string', 'null'], format: 'date-time', ...about })

/** One of a closed list of words: an import refuses any other. */
export const word = <W extends string>(values: readonly W[], about: About): TUnsafe<W> =>
  Type.Unsafe({ type: 'string', enum: values, ...about })

/** A list of words of a closed list. */
export const words = <W extends string>(values: readonly W[], about: About): TUnsafe<W[]> =>
  Type.Unsafe({ type: 'array', items: { type: 'string', enum: values }, ...about })

/** A word of an open enumeration. */
export const openWord = (known: readonly string[], about: About): TUnsafe<string> =>
  Type.Unsafe({ type: 'string', [KNOWN_VALUES]: known, ...about })

export const nullableOpenWord = (known: readonly string[], about: About): TUnsafe<string | null> =>
  Type.Unsafe({ type: ['string', 'null'], [KNOWN_VALUES]: known, ...about })

/** A list of words of an open enumeration. */
export const openWords = (known: readonly string[], about: About): TUnsafe<string[]> =>
  Type.Unsafe({ type: 'array', items: { type: 'string', [KNOWN_VALUES]: known }, ...about })

/** An object or null. It stands by itself in OpenAPI: a named schema cannot be null. */
export const nullableObject = <S extends TSchema>(
  schema: S,
  about: About,
): TUnsafe<Type.Static<S> | null> => {
  const { $id: _id, title: _title, ...shape } = schema as TSchema & { $id?: string; title?: string }
  return Type.Unsafe({ ...shape, type: ['object', 'null'], ...about })
}

export const latitude = () =>
  nullableNumber({
    description: 'Degrees north, WGS 84, up to 8 decimals. Null where the publisher gives none.',
    examples: [49.17793188],
    minimum: -90,
    maximum: 90,
  })

export const longitude = () =>
  nullableNumber({
    description:
      'Degrees east, WGS 84, up to 8 decimals; the island lies west of 0. Null where the publisher gives none.',
    examples: [-2.10985971],
    minimum: -180,
    maximum: 180,
  })

export const id = () =>
  uuid({
    description:
      "The publisher's id; where it gives none, a UUID version 5 made of what names the record, the same at every import.",
    examples: ['03d8bf66-e451-4a20-b3e5-96f8c1293f2c'],
  })

export const createdAt = () =>
  timestamp({
    description: 'When the record was made, as its publisher says; else when its id was first seen here.',
    examples: ['2024-07-01T13:01:56.000Z'],
  })

export const parish = () =>
  text({ description: 'The parish, spelt as its publisher does.', examples: ['St. Helier'] })

const ownerFields = {
  id: nullableUuid({ description: 'Id of the company; null where only its name is known.' }),
  name: nullableText({ description: 'Name of the company.', examples: ['Government of Jersey'] }),
}

/** An owner that is always an object, so that `owner.name` never throws; unknown: both fields null. */
export const owner = () =>
  Type.Object(ownerFields, {
    description: 'Who owns it; with null id and name where unknown.',
    default: { id: null, name: null },
  })

export const nullableOwner = () =>
  nullableObject(Type.Object(ownerFields), { description: 'Who owns it; null where unknown.' })
