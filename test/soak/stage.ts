import type { TestContext } from 'node:test'
import type { Random } from '../../demo/random.ts'
import type { Installation } from '../scale/installation.ts'
import type { Instance } from '../support/fleet.ts'
import type { MadeUpCarparks } from '../support/made-up-carparks.ts'
import type { Numbered, NumberedImports } from '../support/numbered-imports.ts'
import type { RoundRobin } from '../support/round-robin.ts'

/** A running service, of one instance or several, without its clients. */
export interface Service {
  readonly fleet: readonly Instance[]
  /** Where clients ask. */
  readonly url: string
  readonly feed: MadeUpCarparks
  readonly imports: NumberedImports
  /** The folder of the embedded store. */
  readonly folder?: string
  /** The disk that it is on, where that is its own. */
  readonly disk?: string
  /** What several instances share. */
  readonly shared?: { readonly installation: Installation; readonly proxy: RoundRobin }
}

/** What a fault is done to. */
export interface Stage extends Service {
  readonly random: Random
  /** The test of the whole stage: what shall outlast a fault ends with it. */
  readonly whole: TestContext
  /** Waits until every honest client is answered, and readings are new. */
  untilWell(): Promise<void>
  /** Waits until every instance serves a release. */
  untilServed(dataset: Numbered, number: number): Promise<void>
}

/** Does a fault and corrects it, where the service does not; its promise fails where the service did not bear it. */
export type Fault = (stage: Stage, t: TestContext) => Promise<unknown>

/** Faults by name. */
export type Faults = Readonly<Record<string, Fault>>
