import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../../src/store/open-store.ts'
import { emptyFolder } from '../../support/folder.ts'
import { agePruned } from '../../support/pruned-releases.ts'
import { startStoreProcess } from '../../support/store-process.ts'
import { allRecords, VEHICLES } from '../../support/stored-vehicles.ts'

const ROUNDS = 12

test('an importer killed at any moment leaves a whole release current, and nothing that stays behind', async t => {
  const folder = await emptyFolder(t)
  const address = `sqlite:${folder}`
  const store = await openStore(address)
  t.after(() => store.close())
  let last = 0
  for (let round = 0; round < ROUNDS; round++) {
    const killed = startStoreProcess(t, 'publish repeatedly', address)
    const published = Number(await killed.nextLine())
    assert.ok(published > last, 'numbers count up')
    // The tests vary the moment of the kill: anywhere in some ten imports.
    await pause((round * 37) % 101)
    await killed.kill('SIGKILL')

    agePruned(folder)
    await store.releases.sweep()
    const kept = await store.releases.list('vehicles')
    // If the kill came between the rename and the registration, the next release overwrites the file.
    const next = `${(kept[0]?.number ?? 0) + 1}.table`
    assert.deepEqual(
      (await readdir(join(folder, 'releases', 'vehicles'))).filter(name => name !== next).sort(),
      kept.map(({ number }) => `${number}.table`).sort(),
    )
    const current = await store.releases.current('vehicles')
    assert.ok(current !== undefined && current.number >= published)
    const opened = await store.releases.open(current, VEHICLES)
    assert.equal((await allRecords(opened)).length, current.rows)
    last = current.number
  }
})
