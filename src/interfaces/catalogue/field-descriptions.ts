import Type, { type TObject } from 'typebox'
import * as field from '../../datasets/fields.ts'
import { CAPABILITIES, type FieldKeywords, KNOWN_VALUES, MEANINGS, UNIT } from '../../query/fields.ts'
import { flatColumnsOf } from '../../query/layout.ts'

/** The values of a field, and whether the field may hold others. */
const Enumeration = Type.Object({
  closed: Type.Boolean({
    description: 'True where an import refuses any other value; false where the publisher may add some.',
  }),
  values: Type.Array(
    Type.Object({
      value: Type.String(),
      meaning: field.nullableText({
        description: 'What it means; null for a value that the publisher has added.',
      }),
    }),
  ),
})
type Enumeration = Type.Static<typeof Enumeration>

/** An enumeration with its dataset and field. */
export const NamedEnumeration = Type.Object({
  dataset: Type.String({ examples: ['recycling'] }),
  field: Type.String({
    description: 'The field; within an object its path, such as `female.periodProducts`.',
    examples: ['services'],
  }),
  ...Enumeration.properties,
})

/** A field of a dataset, for people and programs that choose what to read. */
export const FieldDescription = Type.Object(
  {
    name: Type.String({ description: 'Its name; within an object its path, such as `owner.name`.' }),
    type: Type.String({ description: 'The JSON type of its values.', examples: ['string'] }),
    format: field.nullableText({ description: 'The format of its text, as JSON Schema names it.' }),
    unit: field.nullableText({ description: 'The unit of its numbers.', examples: ['kg'] }),
    nullable: Type.Boolean({ description: 'Whether it, or the object that holds it, may be null.' }),
    description: Type.String(),
    enumeration: field.nullableObject(Enumeration, { description: 'Its values; null where any may occur.' }),
    filter: field.nullableText({ description: 'How lists are filtered by it; null where they are not.' }),
    sort: Type.Boolean({ description: 'Whether lists are sorted by it.' }),
    count: Type.Boolean({ description: 'Whether records are counted by it.' }),
  },
  { $id: 'FieldDescription', title: 'Field of a dataset' },
)
export type FieldDescription = Type.Static<typeof FieldDescription>

/** Values of open enumerations beyond the known values, by the name of the field. */
type OtherValues = ReadonlyMap<string, { readonly values: ReadonlySet<string> }>

/** Describes the fields of a record in the order of its schema; fields within objects are named by paths. */
export const describeFields = (record: TObject, others: OtherValues = new Map()): FieldDescription[] =>
  flatColumnsOf(record).map(({ name, schema, isNullable }) => {
    const { type = [], format = null, description = '', [CAPABILITIES]: capabilities = {} } = schema
    return {
      name,
      type: [type].flat().find(each => each !== 'null') ?? 'object',
      format,
      nullable: isNullable,
      description,
      unit: schema[UNIT] ?? null,
      enumeration: enumerationOf(schema.items ?? schema, others.get(name)?.values),
      filter: capabilities.filter ?? null,
      sort: capabilities.sort === true,
      count: capabilities.count === true,
    }
  })

function enumerationOf(schema: FieldKeywords, others: Iterable<string> = []): Enumeration | null {
  const values = schema.enum ?? schema[KNOWN_VALUES]
  if (values === undefined) return null
  return {
    closed: schema.enum !== undefined,
    values: [...values, ...others].map(value => ({ value, meaning: schema[MEANINGS]?.[value] ?? null })),
  }
}
