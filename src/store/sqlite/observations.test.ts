import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { openStore } from '../open-store.ts'

const FIVE_MINUTES = 300_000
const IN_TWO_YEARS = (2 * 366 * 86_400_000) / FIVE_MINUTES

test('two years of readings of eight car parks every five minutes stay under 100 MB', async t => {
  const folder = await emptyFolder(t)
  const size = async () => (await stat(join(folder, 'registry.sqlite'))).size
  /** Adds observations and closes the store, so that all of them are in the one file. */
  async function observe(from: number, to: number): Promise<number> {
    const store = await openStore(`sqlite:${folder}`)
    for (let n = from; n < to; n++)
      await store.readings.saveObservation({
        timestamp: new Date(Date.UTC(2024, 0, 1) + n * FIVE_MINUTES).toISOString(),
        entries: ['Sand Street', 'Green Street', 'Minden Place', 'Pier Road', 'A', 'B', 'C', 'D'].map(
          (name, order) => ({
            name,
            code: name.toUpperCase().replace(' ', ''),
            spaces: (n * 7 + order * 131) % 700,
            status: n % 9 === 0 ? 'Full' : 'Spaces',
            open: n % 50 !== 0,
          }),
        ),
      })
    await store.close()
    return size()
  }
  const [early, late] = [await observe(0, 200), await observe(200, 1000)]
  const expected = ((late - early) / 800) * IN_TWO_YEARS
  t.diagnostic(`${Math.round(expected / 1e6)} MB in two years`)
  assert.ok(expected < 100e6, `${expected} bytes in two years`)
})
