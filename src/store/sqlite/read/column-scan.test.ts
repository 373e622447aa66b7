import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFolder } from '../../../../test/support/folder.ts'
import { publishAll } from '../../../../test/support/stored-vehicles.ts'
import type { RowBatch } from '../../column-scan.ts'
import type { TableLayout } from '../../layout.ts'
import { openStore, storeAt } from '../../open-store.ts'

const LAYOUT: TableLayout = {
  kind: 'table',
  newestFirstBy: 'rows',
  columns: [
    { name: 'word', type: 'word' },
    { name: 'rows', type: 'day' },
    { name: 'whole', type: 'number' },
    { name: 'any', type: 'number' },
    { name: 'hash', type: 'digest' },
  ],
}

const NUMBERS = [0.1 + 0.2, 1 / 3, -1e300, 5e-10, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 12.5, null, 0, -7]

test('every word and cell comes as it was given, in more batches than one', async t => {
  const folder = `sqlite:${await emptyFolder(t)}`
  const store = await openStore(folder)
  t.after(() => store.close())
  const records = Array.from({ length: 9000 }, (_, n) => ({
    word: n % 3 === 0 ? 'again' : `"Wörd\n\0 ${n}`,
    rows: n < 5000 ? new Date((20_000 - n) * 86_400_000).toISOString() : null,
    whole: n % 7 === 0 ? null : n * 2 ** 40,
    // One batch has only whole numbers.
    any: n < 4096 ? n : (NUMBERS[n % NUMBERS.length] ?? null),
    hash: n.toString(16).padStart(64, 'a'),
  }))
  const release = await publishAll(store, 'things', LAYOUT, records)
  const scan = await storeAt(folder).openColumnScan(release, LAYOUT)
  const words = await scan.words('word')
  const wordOf = new Map(words.codes.map((code, i) => [code, words.values[i]]))
  const found: unknown[] = []
  let batches = 0
  for await (const batch of scan.rows()) {
    batches++
    found.push(...recordsOf(batch))
  }
  await scan.close()
  assert.ok(batches > 1)
  assert.equal(wordOf.size, 6001)
  assert.deepEqual(found, records)

  function* recordsOf({ rows, columns: [word, day, whole, any, hash] }: RowBatch) {
    for (let row = 0; row < rows; row++) {
      const days = day?.[row] ?? null
      yield {
        word: wordOf.get(Number(word?.[row])),
        rows: days === null ? null : new Date(days * 86_400_000).toISOString(),
        whole: whole?.[row],
        any: any?.[row],
        hash: Buffer.from((hash as Uint8Array).subarray(row * 32, (row + 1) * 32)).toString('hex'),
      }
    }
  }
})
