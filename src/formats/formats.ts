import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

/** Every format by its name on the command line and in addresses. */
export const FORMATS = { json, csv, ndjson, geojson } as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]
