import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { answers, entry, payload, startUpstream, type Upstream } from './misbehaving-upstream.ts'
import { startPds } from './pds.ts'
import { cluster } from './postgres.ts'
import { type Serving, watchServing } from './serving.ts'
import { kill } from './site.ts'
import { until } from './until.ts'

/** Instances that share a database and a feed. All of it goes with the test. */
export interface Neighbours {
  readonly address: string
  /** The store, opened in the test's own process as well. */
  readonly store: Store
  readonly feed: Upstream
  /** Has the feed tell so many free spaces, as of now unless another time is given. Gives the time that it tells. */
  tell(spaces: number, timestamp?: string): string
  /** Starts an instance and waits until it listens. */
  serve(environment?: Readonly<Record<string, string>>): Promise<Serving>
}

/** Makes an empty database and a feed, which is asked every second. */
export async function makeNeighbours(t: TestContext, address?: string): Promise<Neighbours> {
  const folder = await emptyFolder(t)
  const database = address ?? (await (await cluster()).emptyDatabase())
  const store = await openStore(database)
  t.after(() => store.close())
  const feed = await startUpstream(answers(''))
  t.after(() => feed.close())
  const neighbours: Neighbours = {
    ...{ address: database, store, feed },
    tell(spaces, timestamp = new Date().toISOString()) {
      feed.behaviour = answers(payload([entry('HARBST', spaces)], timestamp))
      return timestamp
    },
    async serve(environment = {}) {
      const settings = { DATABASE_URL: database, LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1' }
      const ports = { PORT: '0', ADMIN_PORT: String(await freePort()) }
      const child = startPds(folder, ['serve'], { ...settings, ...ports, ...environment })
      t.after(() => kill(child))
      return watchServing(t, child)
    },
  }
  neighbours.tell(100)
  return neighbours
}

/** What an instance serves of the feed; nothing before the first reading. */
export async function live(serving: Serving): Promise<{ timestamp?: string; spaces?: number }> {
  const { status, text } = await serving.get('/v1/carparks/live-spaces')
  if (status !== 200) return {}
  const { timestamp, results } = JSON.parse(text)
  return { timestamp, spaces: results[0].spaces }
}

/** The part that an instance plays. */
export async function roleOf(serving: Serving): Promise<string> {
  return JSON.parse((await serving.admin('/readyz')).text).live.role
}

/** Waits until one of two instances leads and the other follows, and both serve a reading. */
export async function untilOneLeads(
  both: readonly Serving[],
): Promise<{ leader: Serving; follower: Serving }> {
  return until(async () => {
    const roles = await Promise.all(both.map(roleOf))
    const readings = await Promise.all(both.map(live))
    const [leader, follower] = ['leading', 'following'].map(role => both[roles.indexOf(role)])
    const areServed = readings.every(({ timestamp }) => timestamp !== undefined)
    return areServed && leader && follower && { leader, follower }
  }, 'one that leads and one that follows')
}

/** Keeps asking an instance; `stop` fails if a timestamp was earlier than the one before. */
export function watchTimestamps(serving: Serving): { stop(): Promise<void> } {
  let isOver = false
  const watching = (async () => {
    for (let last = ''; !isOver; await pause(10)) {
      const { timestamp = '' } = await live(serving)
      assert.ok(timestamp >= last, `${timestamp} after ${last}`)
      last = timestamp
    }
  })()
  watching.catch(() => {})
  return {
    stop() {
      isOver = true
      return watching
    },
  }
}
