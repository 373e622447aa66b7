import type { TObject } from 'typebox'

/** Keyword for the known values of an open enumeration. An import publishes other values, with a warning. */
export const KNOWN_VALUES = 'x-known-values'

/** Keyword for the meaning of each value of an enumeration. OpenAPI tools know this name. */
export const MEANINGS = 'x-enumDescriptions'

/** Keyword for the unit of a number. */
export const UNIT = 'x-unit'

/** Keyword for a field's capabilities; a symbol, so that OpenAPI does not show it. */
export const CAPABILITIES = Symbol('capabilities')

/** Keyword for timestamps that mean a calendar date: midnight UTC of that date. */
export const CALENDAR_DATE = Symbol('calendar date')

/** Keyword for texts that are numeric codes. */
export const CODE = Symbol('code')

/** The queries that a field supports; parameters, their validation and OpenAPI follow from it. */
export interface FieldCapabilities {
  /**
   * `contains`: texts that contain a text. `equals`: values that equal a value, or lists that hold it. `range`: numbers
   * or dates between two ends.
   */
  readonly filter?: 'contains' | 'equals' | 'range'
  /** Whether a filter by `equals` takes several values of an enumeration, of which a record needs one. */
  readonly several?: true
  readonly sort?: true
  readonly count?: true
  /** Whether counts can have the sum, mean, minimum and maximum of this number. Records are not counted by such a field. */
  readonly measure?: true
  /** Whether the parameter `q` searches the field. */
  readonly search?: true
  /** The field's name in descriptions; by default derived from its name. */
  readonly label?: string
  /** The name of the parameter that filters by the field, such as the singular of a list; by default the field's name. */
  readonly parameter?: string
  /** Values that the parameter accepts in addition to the values in records, for a text that is not an enumeration. */
  readonly values?: readonly string[]
  /** Values of an enumeration that mean the same: a filter by one of them finds all. */
  readonly synonyms?: readonly (readonly string[])[]
  /** Other words for values of an enumeration, in lower case. They are not accepted: an error names the value meant. */
  readonly otherWords?: Readonly<Record<string, string>>
}

/** A field of a record, as queries and storage see it. */
export interface Field extends Omit<FieldCapabilities, 'values'> {
  readonly name: string
  /** `digest` is a SHA-256 in hexadecimal digits. `other` fields hold objects. */
  readonly kind: 'text' | 'digest' | 'number' | 'flag' | 'date' | 'timestamp' | 'list' | 'other'
  readonly label: string
  readonly isInteger: boolean
  /** The values of an enumeration, or of a list's entries; otherwise the additional values that the parameter accepts. */
  readonly values: readonly string[] | undefined
  /** Whether the enumeration may hold other values. */
  readonly isOpen: boolean
  /** Whether the text is HTML. Only the visible text of HTML is searched. */
  readonly isHtml: boolean
}

/** The keywords of a field's JSON Schema that queries, formats and descriptions read. */
export interface FieldKeywords {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly contentMediaType?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: FieldKeywords
  readonly properties?: TObject['properties']
  readonly required?: readonly string[]
  readonly [KNOWN_VALUES]?: readonly string[]
  readonly [MEANINGS]?: Readonly<Record<string, string>>
  readonly [UNIT]?: string
  readonly [CAPABILITIES]?: FieldCapabilities
  readonly [CALENDAR_DATE]?: true
}

/** The fields of a record in the order of its schema. */
export function fieldsOf({ properties }: Pick<TObject, 'properties'>): Field[] {
  return Object.entries<FieldKeywords>(properties).map(([name, schema]) => {
    const values = schema.items ?? schema
    return {
      label: name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`),
      ...schema[CAPABILITIES],
      name,
      kind: kindOf(schema),
      isInteger: types(schema).includes('integer'),
      values: values.enum ?? values[KNOWN_VALUES] ?? schema[CAPABILITIES]?.values,
      isOpen: values.enum === undefined,
      isHtml: schema.contentMediaType === 'text/html',
    }
  })
}

function kindOf(schema: FieldKeywords): Field['kind'] {
  const [type] = types(schema)
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'flag'
  if (type === 'array') return 'list'
  if (type !== 'string') return 'other'
  if (schema[CALENDAR_DATE]) return 'date'
  if (schema.format === 'date-time') return 'timestamp'
  return schema.pattern === '^[0-9a-f]{64}$' ? 'digest' : 'text'
}

const types = ({ type = [] }: FieldKeywords) => [type].flat()
