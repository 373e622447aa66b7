import { inChunks } from './chunks.ts'
import { type Format, type Records, takesAll } from './format.ts'

/** `{"results":[…]}` as the API has it, a record a line: one can read it, compare it by line, and import it again. */
export const json: Format = {
  mediaType: 'application/json',
  refusal: takesAll,
  write: records => inChunks(parts(records)),
}

async function* parts(records: Records): AsyncGenerator<string> {
  let before = '{"results":[\n'
  for await (const record of records) {
    yield before + JSON.stringify(record)
    before = ',\n'
  }
  yield before === ',\n' ? '\n]}\n' : '{"results":[]}\n'
}
