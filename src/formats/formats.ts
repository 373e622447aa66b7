import type { TObject } from 'typebox'
import { csv } from './csv.ts'
import type { RecordFormat } from './format.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet.ts'

/** Every format. A new format is one file and one line here. `pds export`, lists and counts then offer it. */
export const FORMATS: readonly RecordFormat[] = [json, csv, ndjson, geojson, parquet]

/** The formats of lists and counts, in addition to the JSON of the contract. */
export const SERVED_FORMATS = FORMATS.filter(format => format !== json)

/** The formats that can write records of a schema. */
export const formatsFor = (formats: readonly RecordFormat[], schema: TObject): readonly RecordFormat[] =>
  formats.filter(({ refusal }) => refusal?.(schema) === undefined)
