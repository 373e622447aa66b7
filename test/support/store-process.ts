import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TableOptions } from '../../src/store/engine.ts'
import { openStore } from '../../src/store/open-store.ts'
import { takeWriteLock } from '../../src/store/sqlite/locks.ts'
import { manyVehicles } from './many-vehicles.ts'
import { type OtherProcess, startProcess } from './other-process.ts'
import { publishAll, VEHICLES, vehicles } from './stored-vehicles.ts'

/** How many readings `save history` saves at once. */
export const READINGS_AT_ONCE = 5000

const nextInput = () => new Promise(resolve => process.stdin.once('data', resolve))
const forever = () => setInterval(() => {}, 60_000)

const BY_SQL = { engine: 'sql', prerenderBytes: 0 } as const

async function publishRepeatedly(address: string, tables?: TableOptions): Promise<void> {
  const store = await openStore(address, { tables })
  for (let round = 0; ; round++) {
    const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(100 + round, round))
    if (round === 0) console.log(release.number)
  }
}

/** What another process can do with a store, by its address. */
const ACTIONS = {
  /** Publishes one release after another; writes the number of the first. */
  'publish repeatedly': (address: string) => publishRepeatedly(address),
  /** As rows that are queried by SQL. */
  'publish repeatedly for SQL': (address: string) => publishRepeatedly(address, BY_SQL),
  async 'publish a large release for SQL'(address: string) {
    await publishAll(await openStore(address, { tables: BY_SQL }), 'vehicles', VEHICLES, vehicles(30_000))
  },
  /** Publishes 300,000 vehicles and writes `published`; its memory is not that of the test. */
  async 'publish 300,000 vehicles for SQL'(address: string) {
    const store = await openStore(address, { tables: BY_SQL })
    await publishAll(store, 'vehicles', VEHICLES, manyVehicles(300_000))
    console.log('published')
  },
  /** Begins a release and writes `appended`; never ends. */
  async 'stage a record'(address: string) {
    const staging = await (await openStore(address)).releases.stage('vehicles', VEHICLES)
    for (const record of vehicles(1)) await staging.append('key', record)
    console.log('appended')
    forever()
  },
  /** Writes `staged` with a release ready, and publishes it at the next input. */
  async 'publish at the next input'(address: string) {
    const store = await openStore(address)
    const staging = await store.releases.stage('toilets', { kind: 'documents' })
    await staging.append('a', { id: 'a' })
    await staging.seal()
    console.log('staged')
    await nextInput()
    const changes = await staging.changesSince(undefined)
    await staging.publish({ source: 'x', synthetic: true, changes, firstSeen: new Map() })
    await store.close()
    process.stdin.destroy()
  },
  /** Writes `ready`, opens the store at the next input and writes its revision. */
  async 'open at the next input'(address: string) {
    console.log('ready')
    await nextInput()
    const store = await openStore(address)
    console.log(`revision ${await store.releases.revision()}`)
    process.stdin.destroy()
  },
  /** Saves one lot of readings after another, each a second after the last; writes the number of each before it. */
  async 'save history'(address: string) {
    const store = await openStore(address)
    const [history] = await store.readings.keptHistory()
    const first = history === undefined ? 0 : (history.last / 1000 + 1) / READINGS_AT_ONCE
    for (let lot = first; ; lot++) {
      const readings = Array.from({ length: READINGS_AT_ONCE }, (_, n) => ({
        ...{ at: (lot * READINGS_AT_ONCE + n) * 1000, code: 'A', name: 'A', spaces: n % 500 },
        ...{ open: null, status: null },
      }))
      console.log(lot)
      await store.readings.saveHistory(readings)
    }
  },
  /** Writes `removing` and removes the first batch of readings; then writes `removed`. */
  async 'remove a batch'(address: string) {
    const store = await openStore(address)
    const [batch] = (await store.readings.origins()).batches
    console.log('removing')
    if (batch !== undefined) await store.readings.removeBatch(batch.number)
    console.log('removed')
    await store.close()
  },
  /** Takes the write lock of a folder and writes `held`; never ends. */
  async 'hold the write lock'(folder: string) {
    const unlock = await takeWriteLock(folder, { waitMs: 60_000 })
    console.log('held')
    // The lock goes with what can release it.
    setInterval(() => unlock, 60_000)
  },
}

const FILE = fileURLToPath(import.meta.url)

/** Starts another process that does this with the store at an address. */
export const startStoreProcess = (
  t: TestContext,
  action: keyof typeof ACTIONS,
  address: string,
): OtherProcess => startProcess(t, FILE, action, address)

if (process.argv[1] === FILE) {
  const [, , action, address = ''] = process.argv
  await ACTIONS[action as keyof typeof ACTIONS](address)
}
