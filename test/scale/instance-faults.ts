import assert from 'node:assert/strict'
import { until } from '../support/until.ts'
import { type Stage, stopwatch } from './stage.ts'

export async function restartAll({ fleet, proxy }: Stage) {
  const seconds = { stopped: 0, ready: 0 }
  for (const [place, instance] of fleet.entries()) {
    const { status, seconds: stopped } = await instance.stop()
    assert.equal(status, 0)
    const ready = await instance.start()
    await until(() => proxy.inUse().includes(place), `${instance.name} being used again`)
    seconds.stopped = Math.max(seconds.stopped, stopped)
    seconds.ready = Math.max(seconds.ready, ready)
  }
  return seconds
}

/** Kills the one that asks the feed for all. */
export async function killInstance({ fleet, proxy }: Stage) {
  const leading = () =>
    Promise.all(fleet.map(async instance => instance.away ?? instance.metric('pds_feed_leading')))
  const place = await until(async () => (await leading()).indexOf(1) + 1, 'one asking the feed')
  const instance = fleet[place - 1] ?? assert.fail()
  const left = stopwatch()
  await instance.kill()
  await until(() => !proxy.inUse().includes(place - 1), 'the dead instance being left out')
  const leftOut = left()
  await until(async () => (await leading()).includes(1), 'another asking the feed')
  const takenOver = left()
  const ready = await instance.start()
  await until(() => proxy.inUse().includes(place - 1), 'the instance being used again')
  return { 'left out': leftOut, 'feed taken over': takenOver, ready }
}

export async function killRedis({ installation: { redis }, fleet }: Stage) {
  const sharedIs = (value: number) =>
    until(async () => {
      const all = await Promise.all(fleet.map(instance => instance.metric('pds_limits_shared')))
      return all.every(one => one === value)
    }, `pds_limits_shared ${value}`)
  const killed = stopwatch()
  await redis.kill()
  await sharedIs(0)
  const alone = killed()
  await redis.start()
  const returned = stopwatch()
  await sharedIs(1)
  return { 'all count alone': alone, 'all count together': returned() }
}
