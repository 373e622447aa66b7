/** News in the terms that Atom (RFC 4287) and JSON Feed 1.1 share. */
export interface Feed {
  /** An address of its own, which stays when the service moves. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The address of the page of what it tells of. */
  readonly home: string
  /** The addresses of the feed itself, by format. */
  readonly self: Readonly<Record<FeedFormat, string>>
  readonly updated: Date
  readonly author: string
  /** Whose the content is, and on what terms. */
  readonly rights?: string
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
}

export type FeedFormat = 'atom' | 'json'

/** One piece of news. All texts are plain, except for `html`. */
export interface FeedEntry {
  readonly id: string
  readonly title: string
  /** Where to read more. */
  readonly url: string
  readonly published: Date
  readonly updated: Date
  readonly summary: string
  readonly tags: readonly string[]
  readonly image?: string
  /** Safe HTML; without it the summary is all there is. */
  readonly html?: string
}
