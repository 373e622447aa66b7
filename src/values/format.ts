/** A form in which an endpoint offers its response, and `pds export` a dataset. */
export interface Format {
  /** The value of the parameter `format`, the suffix of the path, and the word on the command line. */
  readonly name: string
  /** The media type, with its parameters. */
  readonly mediaType: string
  /** A more general media type by which requests may name it. */
  readonly alsoNamed?: string
  /** Whether browsers should save it as a file rather than show it. */
  readonly isDownload?: true
  /** Whether a byte order mark may stand before it: Excel takes text without one for text in its local encoding. */
  readonly takesBom?: true
}
