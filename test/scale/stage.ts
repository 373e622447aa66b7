import type { Instance } from '../support/fleet.ts'
import type { RoundRobin } from '../support/round-robin.ts'
import type { Installation } from './installation.ts'

/** What a fault is done to. */
export interface Stage {
  readonly installation: Installation
  readonly fleet: readonly Instance[]
  readonly proxy: RoundRobin
  /** Whether vehicles are answered from the servers of PostgreSQL. */
  readonly asksServers: boolean
  /** Waits until every client is answered again. */
  readonly untilWell: () => Promise<void>
}

/** Does a fault and corrects it; gives what took how long, in seconds. */
export type Fault = (stage: Stage) => Promise<Record<string, number>>

/** Starts now, and gives the seconds until then whenever it is asked. */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => (performance.now() - began) / 1000
}
