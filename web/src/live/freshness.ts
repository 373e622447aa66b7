/** How far what a page shows can be taken for what is so now. */
export type Freshness =
  /** No script has asked yet: only the time on the page says from when it is. */
  | { readonly state: 'unscripted' }
  /** The service has said so within two minutes. */
  | { readonly state: 'current'; readonly isGone: boolean }
  /** The service does not answer; `since` is when it last did, milliseconds since 1970 UTC. */
  | { readonly state: 'old'; readonly since: number; readonly isGone: boolean }

/** Whether counts are so old that the service would hold them stale: none of them may be shown. */
export const isGone = (freshness: Freshness): boolean => freshness.state !== 'unscripted' && freshness.isGone
