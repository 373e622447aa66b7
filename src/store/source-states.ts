/** What came of the last attempt to follow a source. */
export type SourceOutcome = 'published' | 'not changed' | 'refused' | 'failed'

interface Noted {
  /** What a person should know of it, a sentence each, and whether somebody should look at it. */
  readonly notes?: readonly string[]
  readonly needsPerson?: boolean
}

/** The state of one followed source; a dataset has one source. Times are ISO 8601 UTC. */
export interface SourceState {
  readonly dataset: string
  /** Identifies the configuration by which it was fetched: what another one knew of the source counts no more. */
  readonly configuration: string
  readonly triedAt: string
  readonly outcome: SourceOutcome
  /** Why it was refused or failed, for the operator; null otherwise. */
  readonly reason: string | null
  /** When it last gave what is published; null before the first time. */
  readonly succeededAt: string | null
  /** When it last led to a release, and the release's number. */
  readonly changed: (Noted & { readonly at: string; readonly release: number }) | null
  /** When an import last refused it, why, and the hash of its records if all could be read. */
  readonly refused:
    | (Noted & { readonly at: string; readonly reason: string; readonly hash?: string | null })
    | null
  /** The report of the last import that published or refused it, bounded. Absent before the first. */
  readonly report?: object | undefined
  /** Attempts without success in a row; the time of the first. */
  readonly failures: number
  readonly failingSince: string | null
  readonly dueAt: string
  /** The validators of the last good response (RFC 9110 8.8). */
  readonly validators: { readonly etag?: string; readonly lastModified?: string }
  /** The hash of the records that it gave last; null before the first. */
  readonly hash: string | null
}

/** The states of followed sources, which survive restarts and are shared among instances. */
export interface SourceStates {
  list(): Promise<SourceState[]>
  /** Replaces the state of the dataset's source. */
  save(state: SourceState): Promise<void>
}
