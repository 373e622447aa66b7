import type { SourceState } from './registry/columns.ts'

export type { SourceState }

/** The states of followed sources, which survive restarts and are shared among instances. */
export interface SourceStates {
  list(): Promise<SourceState[]>
  /** Replaces the state of the dataset's source. */
  save(state: SourceState): Promise<void>
}
