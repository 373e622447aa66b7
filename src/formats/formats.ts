import type { TObject } from 'typebox'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

/** Every format. A new one is one file and one line here: `pds export`, lists and counts offer it. */
export const FORMATS: readonly Format[] = [json, csv, ndjson, geojson]

/** Formats that only `pds export` writes: lists and counts are not served in them yet. */
const EXPORT_ONLY: readonly Format[] = [csv, ndjson, geojson]

/** The formats in which lists and counts are served, besides the JSON of the contract. */
export const SERVED_FORMATS = FORMATS.filter(format => format !== json && !EXPORT_ONLY.includes(format))

/** Those of the formats that can write records of a schema. */
export const formatsFor = (formats: readonly Format[], schema: TObject): readonly Format[] =>
  formats.filter(({ refusal }) => refusal?.(schema) === undefined)
