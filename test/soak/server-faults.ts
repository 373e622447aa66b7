import { setTimeout as pause } from 'node:timers/promises'
import { killRedis } from '../scale/instance-faults.ts'
import * as servers from '../scale/server-faults.ts'
import type { Fault as ServerFault } from '../scale/stage.ts'
import type { Fault, Faults, Stage } from './stage.ts'

const FROZEN_MS = 3000

const shared = ({ shared }: Stage) => {
  if (shared === undefined) throw new Error('there is no server')
  return shared
}

/** A fault of the other suite, which brings its own waiting. */
const server =
  (fault: ServerFault): Fault =>
  stage =>
    fault({ ...shared(stage), fleet: stage.fleet, asksServers: true, untilWell: stage.untilWell })

const freezeRedis: Fault = async stage => {
  const { redis } = shared(stage).installation
  redis.freeze()
  await pause(FROZEN_MS)
  redis.thaw()
}

/** Faults of PostgreSQL and Redis. */
export const SERVER_FAULTS: Faults = {
  "the leader's PostgreSQL is killed": server(servers.killLeader),
  'the leader is frozen': server(servers.freezeLeader),
  'the replica is killed': server(servers.killReplica),
  'the replica is frozen': server(servers.freezeReplica),
  'both servers of PostgreSQL are killed': server(servers.killServers),
  'switchover of PostgreSQL': server(servers.switchOver),
  'Redis is killed': server(killRedis),
  'Redis is frozen': freezeRedis,
}
