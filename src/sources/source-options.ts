import Type, { type Static, type TUnsafe } from 'typebox'

const oneOf = <V extends string>(values: readonly V[], description: string): TUnsafe<V> =>
  Type.Unsafe({ type: 'string', enum: values, description })

/** How to read a source if its content does not tell, or tells wrongly. */
export const SourceOptions = Type.Object(
  {
    delimiter: Type.Optional(
      oneOf([',', ';', '|', 'tab'], 'the separator of columns in CSV, otherwise found in the header'),
    ),
    listSeparator: Type.Optional(
      oneOf([',', ';', '|'], 'the separator of a list in one cell, otherwise found for each field'),
    ),
    encoding: Type.Optional(
      oneOf(
        ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'],
        'the encoding of text without a byte order mark, otherwise that which its server declares, or utf-8',
      ),
    ),
    sheet: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'the sheet of a workbook to read, otherwise the visible one with the columns',
      }),
    ),
  },
  { additionalProperties: false, description: 'how to read the source' },
)
export type SourceOptions = Static<typeof SourceOptions>

export type Encoding = NonNullable<SourceOptions['encoding']>
