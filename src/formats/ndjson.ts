import type { Format } from './format.ts'

/** A JSON record a line. */
export const ndjson: Format = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  async *write(batches) {
    for await (const batch of batches)
      yield Buffer.from(
        batch
          .records()
          .map(record => `${JSON.stringify(record)}\n`)
          .join(''),
      )
  },
}
