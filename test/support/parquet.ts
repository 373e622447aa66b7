import { parquetReadObjects } from 'hyparquet'
import type { TObject } from 'typebox'
import type { StoredRecord } from '../../src/query/query.ts'

/** The records of a Parquet file as another reader has them, in the shape of their schema. */
export async function parquetRecords(bytes: Buffer, schema: TObject): Promise<StoredRecord[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const rows = await parquetReadObjects({ file })
  return rows.map(row => nested(schema as Nested, '', name => jsonValue(row[name])) as StoredRecord)
}

interface Nested {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Nested>>
}

/** The value of a schema from the columns of its members; one that may be null is null where all of them are. */
function nested({ type, properties }: Nested, name: string, cell: (name: string) => unknown): unknown {
  if (properties === undefined) return cell(name)
  const members = Object.entries(properties).map(([member, its]) => {
    const path = name === '' ? member : `${name}.${member}`
    return [member, nested(its, path, cell)] as const
  })
  const isAbsent = type?.includes('null') === true && members.every(([, value]) => value === null)
  return isAbsent ? null : Object.fromEntries(members)
}

function jsonValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}
