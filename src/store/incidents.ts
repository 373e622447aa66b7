/** An incident of which the operator has been told, and which is not over. */
export interface Incident {
  readonly key: string
  /** The notification that told it. */
  readonly type: string
  readonly data: object
}

/** The incidents that have been told, which survive restarts and are shared among instances. */
export interface Incidents {
  list(): Promise<Incident[]>
  /** Adds an incident, or replaces the one of its key. */
  save(incident: Incident): Promise<void>
  remove(key: string): Promise<void>
}
