import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startInstallation } from '../scale/installation.ts'
import { startFleet } from '../support/fleet.ts'
import { emptyFolder } from '../support/folder.ts'
import { startMadeUpCarparks } from '../support/made-up-carparks.ts'
import { type NumberedImports, startNumberedImports } from '../support/numbered-imports.ts'
import type { NumberedRegister } from '../support/numbered-vehicles.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { PAST_CSV } from './known-past.ts'
import type { Service } from './stage.ts'

const DISK_MB = 300

const SETTINGS = {
  BASE_URL: 'http://data.example',
  VEHICLES_RATE_LIMIT: '1000000000',
  PAGE_LIMIT_MAX: '10000',
}

/** Starts one instance with little memory, on the embedded store. */
export async function startOne(t: TestContext, register: NumberedRegister): Promise<Service> {
  const [folder, feed] = await Promise.all([emptyFolder(t), startMadeUpCarparks(t)])
  // So that it can run full.
  const disk = await mountSmallDisk(DISK_MB)
  t.after(() => disk?.remove())
  const data = join(disk?.folder ?? folder, 'data')
  const environment = { DATABASE_URL: `sqlite:${data}`, LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1' }
  const imports = await startNumberedImports(folder, environment, register)
  await publishMore(imports)
  const [instance, ...none] = await startFleet(t, 1, {
    ...{ ...environment, ...SETTINGS },
    NODE_OPTIONS: '--max-old-space-size=96',
  })
  if (instance === undefined) throw new Error('no instance')
  return {
    fleet: [instance, ...none],
    url: instance.url,
    feed,
    imports,
    folder: data,
    ...(disk && { disk: disk.folder }),
  }
}

/** Starts three instances behind a proxy, on PostgreSQL and Redis, which read vehicles by SQL. */
export async function startSeveral(t: TestContext, register: NumberedRegister): Promise<Service> {
  const installation = await startInstallation(t, register, { TABLE_ENGINE: 'sql' })
  await publishMore(installation)
  const fleet = [
    ...(await installation.startFleet(t, 2, SETTINGS)),
    // It asks the servers for all.
    ...(await installation.startFleet(t, 1, { ...SETTINGS, RESPONSE_CACHE_MB: '0' }, 3)),
  ]
  const proxy = await startRoundRobin(t, fleet)
  const { feed } = installation
  return { fleet, url: proxy.url, feed, imports: installation, shared: { installation, proxy } }
}

async function publishMore(imports: NumberedImports): Promise<void> {
  await imports.publish('product-recalls')
  const { status, stdout } = await imports.importText('live-spaces', PAST_CSV)
  assert.equal(status, 0, stdout)
}
