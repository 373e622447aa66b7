import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startFleet } from '../support/fleet.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS } from '../support/island.ts'
import { startMadeUpCarparks } from '../support/made-up-carparks.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import type { NumberedRegister } from '../support/numbered-vehicles.ts'
import { pds } from '../support/pds.ts'
import type { PostgresNode } from '../support/postgres-node.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { startPair } from '../support/standby.ts'

/** What instances share: a primary with its standby, Redis and a feed. It ends with the test. */
export interface Installation {
  readonly redis: RedisServer
  /** Which server is the primary now. */
  readonly primary: PostgresNode
  readonly standby: PostgresNode
  /** Kills the primary, and makes the standby the primary. */
  failOver(): Promise<void>
  /** Makes what was the primary before a standby of what is now. */
  rebuildStandby(): Promise<void>
  /** Publishes a dataset's next release with the command; gives its number, and how long that took in seconds. */
  publish(dataset: 'vehicles' | 'toilets'): Promise<{ number: number; seconds: number }>
  /** When a release was published, by Date.now(). */
  publishedAt(dataset: string, number: number): Promise<number>
  /** Settings of every instance. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts so many instances, with more settings. */
  startFleet(
    t: TestContext,
    count: number,
    more?: Readonly<Record<string, string>>,
  ): ReturnType<typeof startFleet>
}

/** Starts it all on this machine, and publishes the first release of vehicles, toilets and car parks. */
export async function startInstallation(t: TestContext, register: NumberedRegister): Promise<Installation> {
  const [folder, pair, redis, feedUrl] = await Promise.all([
    emptyFolder(t),
    startPair(t),
    startRedis(t),
    startMadeUpCarparks(t),
  ])
  let { primary, standby } = pair
  const numbers = { vehicles: 0, toilets: 0 }
  const environment = {
    DATABASE_URL: pair.hostsAddress('read-write'),
    DATABASE_READ_URL: pair.hostsAddress('prefer-standby'),
    REDIS_URL: redis.url,
    RATE_LIMIT_INSTANCES: '3',
    TRUST_PROXY: '127.0.0.1',
    LIVE_FEED_URL: feedUrl,
    LIVE_FEED_INTERVAL_S: '1',
  }

  async function importText(dataset: string, text: string): Promise<number> {
    const file = join(folder, dataset)
    await writeFile(file, text)
    const began = performance.now()
    const { status, stderr } = await pds(folder, ['import', dataset, file, '--force'], { environment })
    if (status !== 0) throw new Error(`importing ${dataset}: ${stderr}`)
    return (performance.now() - began) / 1000
  }

  const installation: Installation = {
    redis,
    environment,
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    async failOver() {
      await primary.kill()
      await standby.promote()
      ;[primary, standby] = [standby, primary]
    },
    rebuildStandby: () => standby.follow(primary),
    async publish(dataset) {
      const number = numbers[dataset] + 1
      const text =
        dataset === 'vehicles' ? register.csv(number) : JSON.stringify({ results: toiletsOf(number) })
      const seconds = await importText(dataset, text)
      numbers[dataset] = number
      return { number, seconds }
    },
    async publishedAt(dataset, number) {
      const [row] = await primary.run<{ published_at: string }>(
        `select published_at from pds.releases where dataset = '${dataset}' and number = ${number}`,
        'pds',
      )
      return Date.parse(row?.published_at ?? assert.fail(`${dataset} has no release ${number}`))
    },
    startFleet: (t, count, more = {}) => startFleet(t, count, { ...environment, ...more }),
  }
  await importText('carparks', JSON.stringify({ results: CARPARKS }))
  await installation.publish('toilets')
  await installation.publish('vehicles')
  return installation
}
