import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startFleet } from '../support/fleet.ts'
import { emptyFolder } from '../support/folder.ts'
import { type MadeUpCarparks, startMadeUpCarparks } from '../support/made-up-carparks.ts'
import { type NumberedImports, startNumberedImports } from '../support/numbered-imports.ts'
import type { NumberedRegister } from '../support/numbered-vehicles.ts'
import { type PatroniCluster, startPatroni } from '../support/patroni.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

/** What instances share: PostgreSQL under Patroni, Redis and a feed. It ends with the test. */
export interface Installation extends NumberedImports {
  readonly redis: RedisServer
  readonly feed: MadeUpCarparks
  readonly postgres: PatroniCluster
  /** When a release was published, by Date.now(). */
  publishedAt(dataset: string, number: number): Promise<number>
  /** Settings of every instance. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts so many instances, with more settings, numbered from `first` or 1. */
  startFleet(
    t: TestContext,
    count: number,
    more?: Readonly<Record<string, string>>,
    first?: number,
  ): ReturnType<typeof startFleet>
}

/** Starts it all on this machine, with more settings for imports and instances, and publishes the first release of vehicles, toilets and car parks. */
export async function startInstallation(
  t: TestContext,
  register: NumberedRegister,
  settings: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const [folder, postgres, redis, feed] = await Promise.all([
    emptyFolder(t),
    startPatroni(t),
    startRedis(t),
    startMadeUpCarparks(t),
  ])
  const environment = {
    DATABASE_URL: postgres.writerAddress,
    DATABASE_READ_URL: postgres.readerAddress,
    REDIS_URL: redis.url,
    RATE_LIMIT_INSTANCES: '3',
    TRUST_PROXY: '127.0.0.1',
    LIVE_FEED_URL: feed.url,
    LIVE_FEED_INTERVAL_S: '1',
    ...settings,
  }

  const imports = await startNumberedImports(folder, environment, register)
  return {
    ...imports,
    ...{ postgres, redis, feed, environment },
    async publishedAt(dataset, number) {
      const [row] = await postgres.run<{ published_at: string }>(
        `select published_at from pds.releases where dataset = '${dataset}' and number = ${number}`,
      )
      return Date.parse(row?.published_at ?? assert.fail(`${dataset} has no release ${number}`))
    },
    startFleet: (t, count, more = {}, first = 1) => startFleet(t, count, { ...environment, ...more }, first),
  }
}
