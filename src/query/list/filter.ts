import { existingDate } from '../../values/dates.ts'
import { fold } from '../../values/text.ts'
import type { Field } from '../fields.ts'
import type { FieldOf } from '../order.ts'
import type { EqualsFilter, Filter, RangeFilter, StoredRecord, WordsFilter } from '../query.ts'
import { wordsOf } from '../words.ts'
import { searchedTextOf } from './searched-text.ts'

type Predicate = (record: StoredRecord) => boolean

/** The predicate of a filter. Throws RangeError if a field does not exist or does not support the filter. */
export function predicateOf(filter: Filter, fieldOf: FieldOf): Predicate {
  if ('words' in filter) return holdingWords(filter, fieldOf)
  const field = fieldOf(filter.field)
  const { name } = field
  const test = testOf(field, filter)
  if (test === undefined) throw new RangeError(`field "${name}" cannot be filtered like that`)
  return record => test(record[name])
}

/** Matches records with each word in any of the fields; different words may be in different fields. */
function holdingWords({ words, fields }: WordsFilter, fieldOf: FieldOf): Predicate {
  const wanted = wordsOf(words)
  const readers = fields.map(name => searchedTextOf(fieldOf(name)))
  return record => {
    const texts = readers.map(read => read(record))
    return wanted.every(word => texts.some(text => text.includes(word)))
  }
}

function testOf(
  field: Field,
  filter: Exclude<Filter, WordsFilter>,
): ((value: unknown) => boolean) | undefined {
  const { kind } = field
  if ('contains' in filter) return kind === 'text' ? containing(filter.contains) : undefined
  return 'equals' in filter ? equalTo(field, filter) : inRange(kind, filter)
}

function containing(text: string) {
  const part = fold(text)
  return (value: unknown) => typeof value === 'string' && fold(value).includes(part)
}

function equalTo({ kind, synonyms = [] }: Field, { equals }: EqualsFilter) {
  if (typeof equals === (kind === 'flag' ? 'boolean' : kind)) return (value: unknown) => value === equals
  if (typeof equals !== 'string') return undefined
  const folded = fold(equals)
  const meant = synonyms.find(group => group.some(value => fold(value) === folded))
  const wanted = new Set(meant === undefined ? [folded] : meant.map(fold))
  const isWanted = (value: unknown) => typeof value === 'string' && wanted.has(fold(value))
  if (kind === 'text' || kind === 'digest') return isWanted
  return kind === 'list' ? (value: unknown) => Array.isArray(value) && value.some(isWanted) : undefined
}

function inRange(kind: Field['kind'], { from, to }: RangeFilter) {
  const isDate = kind === 'date' || kind === 'timestamp'
  const hasEnds = [from, to].every(
    end => end === undefined || (isDate ? isDay(end) : typeof end === 'number'),
  )
  if (!hasEnds || (kind !== 'number' && !isDate)) return undefined
  return (value: unknown) => {
    if (value === null) return false
    const compared = isDate ? String(value).slice(0, 10) : Number(value)
    return (from === undefined || compared >= from) && (to === undefined || compared <= to)
  }
}

function isDay(end: string | number): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(String(end)) && existingDate(String(end)) === end
  } catch {
    return false
  }
}
