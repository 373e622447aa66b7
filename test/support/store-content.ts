import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { STORED_DATASETS } from '../../src/cli/stored-datasets.ts'
import { openStore } from '../../src/store/open-store.ts'
import { backUp } from '../../src/store/transfer/transfer.ts'
import { pastReadings } from './filled-stores.ts'
import { emptyFolder } from './folder.ts'
import { publish } from './service.ts'

/** Fills a store with some of the service's own datasets and past readings. */
export async function fillWithDatasets(address: string, vehicles: number): Promise<void> {
  const store = await openStore(address)
  try {
    const rows = Array.from({ length: vehicles }, (_, n) => `Make ${n % 50},M${n % 997},Petrol,${n % 9000}\n`)
    await publish(store, 'vehicles', `MAKE,MODEL,FUEL TYPE,CC\n${rows.join('')}`)
    for (const name of ['Harbour', 'Market'])
      await publish(store, 'toilets', [{ name, parish: 'St. Helier' }])
    await store.readings.saveHistory(pastReadings(300))
  } finally {
    await store.close()
  }
}

/** Everything that a store keeps: the lines of a backup of it, except for what tells of the backup itself. */
export async function linesOf(t: TestContext, address: string): Promise<string[]> {
  const file = join(await emptyFolder(t), 'lines')
  await backUp(address, file, { datasets: STORED_DATASETS })
  return linesIn(file)
}

/** The same lines of a backup file. */
export async function linesIn(file: string): Promise<string[]> {
  const content = gunzipSync(await readFile(file)).toString()
  const lines = content.trimEnd().split('\n').slice(1, -1)
  // A restore tells of itself in the journal.
  return lines.map(line => line.replaceAll(/,?\["[a-z-]+",\d+,"restored",.*?,null,null\]/g, ''))
}
