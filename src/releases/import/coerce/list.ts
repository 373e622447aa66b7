import { Rejection } from '../importable.ts'
import { isBlank } from './blank.ts'
import type { Conform } from './coerce.ts'
import { readJson } from './json-text.ts'

/** A list, JSON text of a list, or text with commas between the items. */
export function conformList(item: Conform): Conform {
  return (raw, field, warn) => items(raw, field).map(one => item(one, field, warn))
}

function items(raw: unknown, field: string): readonly unknown[] {
  const value = readJson(raw, '[', field)
  if (typeof value === 'string') return value.split(',').filter(part => !isBlank(part))
  if (!Array.isArray(value)) throw new Rejection(field, raw, 'must be a list')
  return value
}
