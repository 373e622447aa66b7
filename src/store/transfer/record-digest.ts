import type { Layout } from '../../query/layout.ts'
import { contentOf, digestOf, recordDigest, releaseHash } from '../encoding/content.ts'
import type { RecordBatch, ReleaseEntry } from './dump.ts'

/** Passes records on. Throws the error of `differ`, with what is wrong, unless they are all those of the release. */
export async function* checked(
  batches: AsyncIterable<RecordBatch>,
  { row, digest }: ReleaseEntry,
  layout: Layout | undefined,
  differ: (what: string) => Error,
): AsyncGenerator<RecordBatch> {
  const hash = releaseHash()
  const sum = recordDigest()
  let rows = 0
  for await (const batch of batches) {
    rows += batch.contents.length
    for (const content of batch.contents) {
      sum.add(digestOf(content))
      hash.add(content)
    }
    yield batch
  }
  if (rows !== row.rows) throw differ(`it has ${rows} records and was published with ${row.rows}`)
  // A table is stored in another order than the source's, over which the hash is.
  const isSame = layout?.kind === 'documents' ? hash.digest() === row.hash : sum.digest() === digest
  if (!isSame) throw differ('its records are not those that were published')
}

/** Records with their canonical texts. */
export const recordBatch = (records: RecordBatch['records']): RecordBatch => ({
  records,
  contents: records.map(contentOf),
})
