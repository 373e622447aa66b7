import { killInstance, killRedis, restartAll } from './instance-faults.ts'
import { publishRelease, publishWhileReplicaLags } from './release-faults.ts'
import {
  freezeLeader,
  freezeReplica,
  killLeader,
  killReplica,
  killServers,
  loseLeader,
  switchOver,
} from './server-faults.ts'
import type { Fault } from './stage.ts'

/** Each is done, and is over, before the next. By SQL a lost leader is left out: for clients it is like one that is frozen. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'rolling restart of all three': restartAll,
  'a new release of the register': publishRelease,
  'a new release while the replica lags': publishWhileReplicaLags,
  'kill -9 of the instance that asks the feed': killInstance,
  'kill -9 of the replica': killReplica,
  'the replica is frozen': freezeReplica,
  'kill -9 of Redis': killRedis,
  "kill -9 of the leader's PostgreSQL during an import": killLeader,
  'switchover during an import': switchOver,
  'the leader is frozen': freezeLeader,
  'the leader is lost': loseLeader,
  'kill -9 of both servers': killServers,
}
