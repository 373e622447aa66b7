import type { RecordFormat } from './format.ts'

/** One JSON record per line. */
export const ndjson: RecordFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  description: 'One JSON record per line.',
  isDownload: true,
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
