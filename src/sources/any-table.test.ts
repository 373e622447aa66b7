import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { pieces } from '../../test/support/pieces.ts'
import { type CsvLine, csvLines } from './csv.ts'
import { decodeText, withFirstLines } from './encodings.ts'
import type { Encoding, SourceOptions } from './source-options.ts'

/** Characters that every encoding of the test has, including all separators. */
const cell = fc.string({ unit: fc.constantFrom(...'aZ0 "\',;|\t\n\r.éÿ[]{}'), maxLength: 8 })
const table = fc
  .integer({ min: 2, max: 5 })
  .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }))

const ENCODERS: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  'utf-8': text => Buffer.from(text),
  'utf-16le': text => Buffer.from(text, 'utf16le'),
  'utf-16be': text => Buffer.from(text, 'utf16le').swap16(),
  'windows-1252': text => Buffer.from(text, 'latin1'),
  'iso-8859-1': text => Buffer.from(text, 'latin1'),
  'iso-8859-15': text => Buffer.from(text, 'latin1'),
}

async function read(bytes: Buffer, size: number, { encoding, delimiter }: SourceOptions) {
  const begun = await withFirstLines(decodeText(pieces(bytes, size), encoding))
  const lines: CsvLine[][] = await Readable.from(csvLines(begun, delimiter)).toArray()
  return lines.flat().map(({ cells }) => cells)
}

test('any table in any encoding, with any separator, given or found in the header, is read as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom<NonNullable<SourceOptions['delimiter']>>(',', ';', '|', 'tab'),
      fc.constantFrom(...(Object.keys(ENCODERS) as Encoding[])),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (rows, delimiter, encoding, isGiven, size) => {
        const header = Array.from({ length: rows[0]?.length ?? 2 }, (_, at) => `column ${at}`)
        const text = stringify([header, ...rows], {
          delimiter: delimiter === 'tab' ? '\t' : delimiter,
          quoted: true,
          quoted_empty: true,
        })
        const reading = isGiven ? { encoding, delimiter } : { encoding }
        const unix = rows.map(cells => cells.map(one => one.replace(/\r\n?/g, '\n')))
        assert.deepEqual(await read(ENCODERS[encoding](text), size, reading), [header, ...unix])
      },
    ),
  )
})
