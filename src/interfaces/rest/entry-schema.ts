import Type, { type TObject } from 'typebox'
import { hasGeometry } from '../../query/geometry.ts'
import { DISTANCE } from '../../query/list/place.ts'
import type { Area } from '../../query/query.ts'

const Distance = Type.Integer({
  minimum: 0,
  description: 'Only with `near`: the distance from there in metres, as the crow flies.',
})

interface NamedSchema extends TObject {
  readonly $id?: string
  readonly title?: string
  readonly description?: string
}

/** The schema of the entries of a list: where records have a position, an entry may have a distance. */
export function entrySchema(item: NamedSchema): TObject {
  if (!hasGeometry(item)) return item
  const { $id = 'Entry', title, description } = item
  return Type.Object(
    { ...item.properties, [DISTANCE]: Type.Optional(Distance) },
    {
      $id: $id.replace(/(InList)?$/, 'InList'),
      ...(title !== undefined && { title: title.replace(/( in the list)?$/, ' in the list') }),
      ...(description !== undefined && { description }),
    },
  )
}

/** The schema of the entries of one result: the chosen fields in the order of the schema, and the distance from a point. */
export function shownSchema(
  item: TObject,
  fields: readonly string[] | undefined,
  place: Area | undefined,
): TObject {
  if (fields === undefined && place?.near === undefined) return item
  const chosen = Object.entries(item.properties).filter(([name]) => fields?.includes(name) ?? true)
  return Type.Object({
    ...Object.fromEntries(chosen),
    ...(place?.near !== undefined && { [DISTANCE]: Distance }),
  })
}
