import { Rejection } from '../importable.ts'
import type { Conform } from './coerce.ts'
import { readJson } from './json-text.ts'

/**
 * An object, or JSON text of one. Other text is the name of an object that has a name: an owner known only by name has
 * a null id (design 7). Members that the schema does not have are left out.
 */
export function conformObject(members: readonly (readonly [name: string, conform: Conform])[]): Conform {
  const hasName = members.some(([name]) => name === 'name')
  return (raw, field, warn) => {
    const value = readJson(raw, '{', field)
    const given = typeof value === 'string' && hasName ? { name: value } : value
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new Rejection(field, raw, 'must be an object')
    const memberOf = (name: string) => (Object.hasOwn(given, name) ? given[name as never] : undefined)
    return Object.fromEntries(
      members.map(([name, conform]) => [name, conform(memberOf(name), `${field}.${name}`, warn)]),
    )
  }
}
