import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

/** Every format. A new one is one file and one line here. */
export const FORMATS: readonly Format[] = [json, csv, ndjson, geojson]
