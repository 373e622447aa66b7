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

const stopPrimary: Fault = async stage => {
  const { primary } = shared(stage).installation
  await primary.stop('immediate')
  await pause(FROZEN_MS)
  await primary.start()
}

const freezeRedis: Fault = async stage => {
  const { redis } = shared(stage).installation
  redis.freeze()
  await pause(FROZEN_MS)
  redis.thaw()
}

/** Faults of PostgreSQL and Redis. */
export const SERVER_FAULTS: Faults = {
  'PostgreSQL stops at once': stopPrimary,
  'PostgreSQL is frozen': server(servers.freezePrimary),
  'the standby is killed': server(servers.killStandby),
  'the standby is frozen': server(servers.freezeStandby),
  'both servers of PostgreSQL are killed': server(servers.killServers),
  'fail-over of PostgreSQL': server(servers.failOver),
  'Redis is killed': server(killRedis),
  'Redis is frozen': freezeRedis,
}
