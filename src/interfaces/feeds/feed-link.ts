/** A feed that pages and lists link. */
export interface FeedLink {
  readonly title: string
  /** Its path without the suffix of a format. */
  readonly path: string
}
