import { parsed } from '../../../sources/json/json-elements.ts'
import { DEEPEST, MOST_ITEMS } from '../../../sources/limits.ts'
import { isBlank, isObject } from '../../../sources/source-row.ts'
import type { Coerce } from '../field-schema.ts'
import { attempt, Rejection, throwTogether } from '../importable.ts'
import { coerceFlag } from './text.ts'

/** Coerces a list, JSON text of one, items between separators, or an object that marks items: `{"GLASS": true}`. */
export function coerceList(item: Coerce, separatorOf: (field: string) => string): Coerce {
  return (raw, field, warn) => {
    const items = itemsOf(raw, field, separatorOf)
    if (items.length > MOST_ITEMS)
      throw new Rejection(field, raw, `has ${items.length} items; at most ${MOST_ITEMS} are allowed`)
    return items.map(one => item(one, field, warn))
  }
}

function itemsOf(raw: unknown, field: string, separatorOf: (field: string) => string): readonly unknown[] {
  const value = readJson(raw, '[', field)
  // A column for each item, or an object: those that are marked.
  if (isObject(value))
    return Object.keys(value).filter(
      name => !isBlank(value[name]) && coerceFlag(value[name], `${field}.${name}`),
    )
  if (typeof value === 'string') return value.split(separatorOf(field)).filter(part => !isBlank(part))
  if (!Array.isArray(value)) throw new Rejection(field, raw, 'must be a list')
  return value
}

/**
 * Coerces an object, or JSON text of one. Other text is the object's `name`: an owner known only by name has a null id
 * (design 7). Members that the schema does not have are omitted. Where it may be null, an object of which every member is
 * null is null: in a flat table nobody could tell them apart.
 */
export function coerceObject(
  members: readonly (readonly [name: string, coerce: Coerce])[],
  isNullable: boolean,
): Coerce {
  const hasName = members.some(([name]) => name === 'name')
  return (raw, field, warn) => {
    const value = readJson(raw, '{', field)
    const given = typeof value === 'string' && hasName ? { name: value } : value
    if (!isObject(given)) throw new Rejection(field, raw, 'must be an object')
    const memberOf = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
    const found: Rejection[] = []
    const coerced = members.map(([name, coerce]) => {
      return [name, attempt(found, () => coerce(memberOf(name), `${field}.${name}`, warn))] as const
    })
    throwTogether(found)
    return isNullable && coerced.every(([, member]) => member === null) ? null : Object.fromEntries(coerced)
  }
}

/** Parses the JSON text of a cell that starts with the bracket; else returns the value itself, text trimmed. */
function readJson(raw: unknown, bracket: '[' | '{', field: string): unknown {
  if (typeof raw !== 'string') return raw
  const text = raw.trim()
  if (!text.startsWith(bracket)) return text
  const value = parsed(text)
  if (value === undefined) throw new Rejection(field, raw, `starts like JSON with ${bracket} but is not JSON`)
  if (isDeeper(value, DEEPEST))
    throw new Rejection(field, raw, `is nested more than ${DEEPEST} deep, which is the most allowed`)
  return value
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some(inner => isDeeper(inner, depth - 1))
}
