import { killInstance, killRedis, restartAll } from './instance-faults.ts'
import { publishRelease, publishWhileStandbyLags } from './release-faults.ts'
import { failOver, freezePrimary, freezeStandby, killServers, killStandby } from './server-faults.ts'
import type { Fault } from './stage.ts'

/** Each is done, and is over, before the next. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'rolling restart of all three': restartAll,
  'a new release of 131,000 vehicles': publishRelease,
  'a new release while the standby lags': publishWhileStandbyLags,
  'kill -9 of the instance that asks the feed': killInstance,
  'kill -9 of the standby': killStandby,
  'the standby is frozen': freezeStandby,
  'kill -9 of Redis': killRedis,
  'the primary is frozen': freezePrimary,
  'kill -9 of primary and standby': killServers,
  'fail-over of the primary': failOver,
}
