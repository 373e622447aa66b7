import type { Instance } from '../support/fleet.ts'
import { until } from '../support/until.ts'
import type { Installation } from './installation.ts'
import { servedAfter } from './release-faults.ts'
import { type Stage, stopwatch } from './stage.ts'

export async function killStandby({ installation: { standby, primary }, asksServers, untilWell }: Stage) {
  await standby.kill()
  await untilWell()
  const returned = stopwatch()
  await standby.start()
  if (asksServers) await until(() => isRead(standby), 'the standby being read again')
  const readAgain = returned()
  await standby.catchUp(primary)
  return asksServers ? { 'read again': readAgain } : {}
}

/** Whether instances have connections to a server. */
async function isRead({ run }: Installation['standby']): Promise<boolean> {
  const [row] = await run<{ count: string }>(
    "select count(*) from pg_stat_activity where application_name = 'pds'",
  ).catch(() => [])
  return Number(row?.count ?? 0) > 0
}

export async function freezeStandby({ installation: { standby }, untilWell }: Stage) {
  await standby.freeze()
  await untilWell()
  const thawed = stopwatch()
  await standby.thaw()
  await untilWell()
  return { 'well after the thaw': thawed() }
}

export async function freezePrimary({ installation: { primary }, fleet, untilWell }: Stage) {
  const frozen = stopwatch()
  await primary.freeze()
  await until(async () => (await nameThePrimary(fleet)).every(Boolean), 'all naming the primary')
  const named = frozen()
  await untilWell()
  const thawed = stopwatch()
  await primary.thaw()
  await until(async () => !(await nameThePrimary(fleet)).some(Boolean), 'none naming the primary')
  return { 'named by all': named, 'well after the thaw': thawed() }
}

export async function killServers({ installation: { primary, standby }, fleet, untilWell }: Stage) {
  await Promise.all([primary.kill(), standby.kill()])
  await until(async () => (await nameThePrimary(fleet)).every(Boolean), 'all naming the primary')
  await Promise.all([primary.start(), standby.start()])
  const returned = stopwatch()
  await until(async () => !(await nameThePrimary(fleet)).some(Boolean), 'none naming the primary')
  const named = returned()
  await untilWell()
  return { 'primary used again': named, 'well after the return': returned() }
}

/** Who says that the primary is away; where nothing can be read any more, it is part of the whole store. */
const nameThePrimary = (fleet: readonly Instance[]) =>
  Promise.all(
    fleet.map(async instance => {
      const missing = await instance.missing()
      return missing.includes('store, primary') || missing.includes('store')
    }),
  )

export async function failOver({ installation, fleet }: Stage) {
  const failed = stopwatch()
  await installation.failOver()
  const promoted = failed()
  await until(async () => !(await nameThePrimary(fleet)).some(Boolean), 'none naming the primary')
  const back = failed()
  const { number } = await installation.publish('toilets')
  await servedAfter(installation, fleet, 'toilets', number)
  const newRelease = failed()
  await installation.rebuildStandby()
  return { promoted, 'all have the new primary': back, 'a release published there': newRelease }
}
