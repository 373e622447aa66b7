import { inChunks } from './chunks.ts'
import { type Format, type Records, takesAll } from './format.ts'

/** A JSON record a line. */
export const ndjson: Format = {
  mediaType: 'application/x-ndjson',
  refusal: takesAll,
  write: records => inChunks(parts(records)),
}

async function* parts(records: Records): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}
