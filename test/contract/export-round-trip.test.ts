import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import { writeRecords } from '../../src/formats/format.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import { KNOWN_VALUES } from '../../src/query/fields.ts'
import type { StoredRecord } from '../../src/query/query.ts'
import { recordFinisher, rowConverter } from '../../src/releases/import/coerce/coerce.ts'
import {
  type FieldSchema,
  fieldSchemas,
  hasType,
  Rejection,
  requiredFields,
} from '../../src/releases/import/importable.ts'
import { createColumns } from '../../src/sources/columns.ts'
import { openSource } from '../../src/sources/rows.ts'
import { READERS } from '../support/exported.ts'

/*
 * Whatever a source holds that an import accepts: each format of `pds export` gives back the same records, to an import or, where
 * no import reads it, to another reader.
 */

/** The records that an import makes of a source; rows that it rejects are left out. */
async function recordsIn(dataset: Dataset, content: Buffer | string): Promise<StoredRecord[]> {
  const { weigh, toRecord } = rowConverter(dataset)
  const finish = recordFinisher(dataset)
  const source = await openSource('source', Readable.from([Buffer.from(content)]))
  const records: StoredRecord[] = []
  for await (const rows of source.rows(createColumns(dataset, {}, requiredFields(dataset)))) {
    weigh(rows)
    for (const row of rows)
      try {
        records.push(finish(toRecord(row, () => {}).record))
      } catch (error) {
        if (!(error instanceof Rejection)) throw error
      }
  }
  return records
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'"\',;|[]{}=+-@\t\n &<>é'.split(''), 'amp;', 'lt;', 'null') }),
)

/** Values that a source may have for a field. */
function valuesOf(schema: FieldSchema): fc.Arbitrary<unknown> {
  const { minimum: min = -1e15, maximum: max = 1e15 } = schema
  const filled = (): fc.Arbitrary<unknown> => {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (schema[KNOWN_VALUES] !== undefined) return fc.oneof(fc.constantFrom(...schema[KNOWN_VALUES]), text)
    if (schema.format === 'uuid') return fc.uuid()
    if (schema.format === 'date-time')
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map(date => date.toISOString())
    if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
    if (hasType(schema, 'integer')) return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    if (hasType(schema, 'number')) return fc.double({ min, max, noNaN: true })
    if (hasType(schema, 'boolean')) return fc.boolean()
    if (schema.items !== undefined) return fc.array(valuesOf(schema.items), { maxLength: 4 })
    if (schema.properties !== undefined) return objectOf(Object.entries(schema.properties))
    return text
  }
  return hasType(schema, 'null') ? fc.option(filled()) : filled()
}

const objectOf = (fields: readonly (readonly [name: string, schema: FieldSchema])[]) =>
  fc.record(
    Object.fromEntries(
      fields.map(([name, schema]) => [name, name.endsWith('Url') ? fc.webUrl() : valuesOf(schema)]),
    ),
  )

for (const dataset of DATASETS)
  test(`${dataset.name} come back from every format as they were, whatever their fields hold`, async () => {
    const formats = formatsFor(FORMATS, dataset.record)
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(objectOf(fieldSchemas(dataset.record)), { minLength: 1 }), async given => {
        const records = await recordsIn(dataset, JSON.stringify(given))
        if (records.length === 0) return
        compared += records.length
        for (const format of formats) {
          const exported = await writeRecords(format, records, dataset.record)
          const reader = READERS[format.name]
          const read = reader ? await reader(exported, dataset.record) : await recordsIn(dataset, exported)
          assert.deepEqual(read, records, format.name)
        }
      }),
    )
    assert.ok(compared > 100, `${compared} records`)
  })
