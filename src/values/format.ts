/** A format that an endpoint offers for its response, and `pds export` for a dataset. */
export interface Format {
  /** The value of the parameter `format`, the suffix of the path, and the word on the command line. */
  readonly name: string
  /** The media type, with its parameters. */
  readonly mediaType: string
  /** A more general media type that requests may name instead. */
  readonly alsoNamed?: string
  /** Whether browsers should save the response as a file rather than show it. */
  readonly isDownload?: true
  /** Whether a byte order mark may come first: Excel reads text without the mark in its local encoding. */
  readonly takesBom?: true
}
