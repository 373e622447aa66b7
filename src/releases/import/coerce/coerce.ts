import { KNOWN_VALUES } from '../../../query/fields.ts'
import { type FieldSchema, hasType } from '../field-schema.ts'
import { Rejection } from '../importable.ts'
import { createMemory } from '../memory.ts'
import { isBlank, isBlankOrNullText } from './blank.ts'
import { conformFlag } from './flag.ts'
import { conformList } from './list.ts'
import { conformNumber } from './number.ts'
import { conformObject } from './object.ts'
import { conformText } from './text.ts'
import { conformDay, conformTimestamp } from './time.ts'
import { conformUuid } from './uuid.ts'
import { conformOpenWord, conformWord } from './word.ts'

/** Makes a field's value of what the source has, or throws {@link Rejection}. What it gives, it leaves as it is. */
export type Conform = (raw: unknown, field: string, warn: Warn) => unknown

/** Notes something odd that leaves the record in. */
export type Warn = (field: string | null, value: unknown, reason: string) => void

/**
 * How values of a field are read: derived from its schema alone, so that a dataset needs no code for it. `day` makes a
 * timestamp the calendar date, at midnight UTC, that it has in UTC (design 7).
 */
export function conformer(schema: FieldSchema, name: string, options: { day?: boolean } = {}): Conform {
  const filled = conformFilled(schema, name, options.day ?? false)
  const blank = blankOf(schema)
  const isAbsent = hasType(schema, 'object') || hasType(schema, 'array') ? isBlankOrNullText : isBlank
  return (raw, field, warn) => (isAbsent(raw) ? blank(raw, field, warn) : filled(raw, field, warn))
}

/**
 * Reads a text as it was read before, where that is quicker: words and times are few and slow to read. What was rejected
 * or warned of is read anew, to be told again.
 */
function remembering(conform: Conform): Conform {
  const memory = createMemory<string>()
  return (raw, field, warn) => {
    if (typeof raw !== 'string') return conform(raw, field, warn)
    const before = memory.of(raw)
    if (before !== undefined) return before
    let isOdd = false
    const value = conform(raw, field, (...about) => {
      isOdd = true
      warn(...about)
    })
    if (!isOdd && typeof value === 'string') memory.keep(raw, value)
    return value
  }
}

function blankOf(schema: FieldSchema): Conform {
  if (hasType(schema, 'null')) return () => null
  if ('default' in schema) return () => structuredClone(schema.default)
  if (hasType(schema, 'array')) return () => []
  if (hasType(schema, 'boolean')) return () => false
  return (raw, field) => {
    throw new Rejection(field, raw, 'must not be blank')
  }
}

function conformFilled(schema: FieldSchema, name: string, day: boolean): Conform {
  const known = schema[KNOWN_VALUES]
  if (schema.enum !== undefined) return remembering(conformWord(schema.enum))
  if (known !== undefined) return remembering(conformOpenWord(known))
  if (hasType(schema, 'string') && schema.format === 'date-time')
    return remembering(day ? conformDay : conformTimestamp)
  if (hasType(schema, 'string') && schema.format === 'uuid') return conformUuid
  if (hasType(schema, 'string')) return conformText(schema.pattern)
  if (hasType(schema, 'number') || hasType(schema, 'integer')) return conformNumber(schema, name)
  if (hasType(schema, 'boolean')) return conformFlag
  if (hasType(schema, 'array') && schema.items) return conformList(conformer(schema.items, name))
  if (hasType(schema, 'object') && schema.properties) {
    const members = Object.entries(schema.properties)
    return conformObject(members.map(([member, its]) => [member, conformer(its, member)]))
  }
  throw new Error(`field ${name}: no way is known to read ${JSON.stringify(schema)}`)
}
