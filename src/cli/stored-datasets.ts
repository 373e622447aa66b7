import type { TObject, TSchema } from 'typebox'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { fieldsOf } from '../query/fields.ts'
import { recordCheck } from '../query/layout.ts'
import { recordFinisher } from '../releases/import/coerce/coerce.ts'
import { storedKey } from '../releases/import/identity.ts'
import { Rejection } from '../releases/import/importable.ts'
import { TIME_PATTERN } from '../store/registry/columns.ts'
import type { StoredDataset } from '../store/store.ts'

/** How the records of all datasets are stored. */
export const STORED_DATASETS: readonly StoredDataset[] = DATASETS.map(dataset => {
  const { name, layout, identity } = dataset
  let check: StoredDataset['check'] | undefined
  return {
    name,
    layout,
    keyOf: storedKey({ identity }),
    check(record) {
      check ??= checkOf(dataset)
      return check(record)
    },
  }
})

/** Makes the check of published records: they must fit the schema of an import, and have only HTML that an import keeps. */
function checkOf({ record: schema, layout, transform }: Dataset): StoredDataset['check'] {
  const finish = recordFinisher({ record: closed(schema) })
  const requireColumns = layout.kind === 'table' ? recordCheck(layout) : undefined
  const fields = fieldsOf(schema)
  const names = fields.map(({ name }) => name)
  const pages = fields.filter(({ isHtml }) => isHtml).map(({ name }) => name)
  return record => {
    try {
      if (finish(record) !== record) return `its fields are not ${names.join(', ')}`
      requireColumns?.(record)
      const safe = transform?.(record) ?? record
      // An earlier version kept words that mean "no value". An import now makes such a text empty.
      const unsafe = pages.find(page => record[page] !== safe[page] && safe[page] !== '')
      return unsafe && `${unsafe} has HTML that an import takes out`
    } catch (error) {
      if (error instanceof Rejection) return [error.field, error.message].filter(Boolean).join(' ')
      if (error instanceof TypeError) return error.message
      throw error
    }
  }
}

/** The schema of records after an import: objects have no other members, and times are UTC. */
function closed<S extends TSchema>(schema: S): S {
  const { properties, format }: { properties?: TObject['properties']; format?: string } = schema
  if (format === 'date-time') return { ...schema, pattern: TIME_PATTERN }
  if (properties === undefined) return schema
  const members = Object.entries(properties).map(([name, member]) => [name, closed(member)])
  return { ...schema, properties: Object.fromEntries(members), additionalProperties: false }
}
