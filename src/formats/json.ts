import type { RowBatch, StoredRecord } from '../query/query.ts'
import type { RecordFormat } from './format.ts'

/** The API's `{"results":[…]}`, one record per line: readable, diffable, and importable again. */
export const json: RecordFormat = {
  name: 'json',
  mediaType: 'application/json',
  description: 'The records, one per line.',
  write: batches => writeArray('{"results":[', batches, record => record),
}

/** Writes `head` and an array, one value per line, then closes the array and the object that `head` opens. */
export async function* writeArray(
  head: string,
  batches: AsyncIterable<RowBatch>,
  toValue: (record: StoredRecord) => object,
): AsyncGenerator<Buffer> {
  let before = `${head}\n`
  for await (const batch of batches) {
    const lines = batch.records().map(record => JSON.stringify(toValue(record)))
    yield Buffer.from(before + lines.join(',\n'))
    before = ',\n'
  }
  yield Buffer.from(before === ',\n' ? '\n]}\n' : `${head}]}\n`)
}
