/** The age of the counts on a page. */
export type Freshness =
  /** No script has asked yet. The page only has the time of its counts. */
  | { readonly state: 'unscripted' }
  /** The service has confirmed the counts within two minutes. */
  | { readonly state: 'current'; readonly isGone: boolean }
  /** The service does not answer. `since` is the time of its last answer, milliseconds since 1970 UTC. */
  | { readonly state: 'old'; readonly since: number; readonly isGone: boolean }

/** Whether counts are so old that the service would call them stale. The page must not show such counts. */
export const isGone = (freshness: Freshness): boolean => freshness.state !== 'unscripted' && freshness.isGone
