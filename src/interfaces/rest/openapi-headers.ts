import type { Operation } from '../../http/routing/operation.ts'

interface Header {
  readonly description: string
  readonly example: string
  /** True where every response that has it documented has it. */
  readonly required?: true
  /** Whether a response with this status has it. */
  readonly isIn: (status: number, operation: Operation) => boolean
}

type IsIn = Header['isIn']

const ifFine: IsIn = status => status < 400
const ifConditional: IsIn = (status, { isConditional }) => status < 400 && isConditional
const ifRanged: IsIn = (status, { isRanged = false }) => status < 300 && isRanged
const ifLimited: IsIn = (_, { problems }) => problems.includes(429)
const ifStatus =
  (...statuses: number[]): IsIn =>
  status =>
    statuses.includes(status)

/** The headers of responses that the document describes, by name. */
const HEADERS: Readonly<Record<string, Header>> = {
  'Accept-Ranges': {
    description: 'Parts can be requested by `Range`.',
    example: 'bytes',
    required: true,
    isIn: ifRanged,
  },
  Allow: {
    description: 'The methods that are allowed here.',
    example: 'GET, HEAD, OPTIONS',
    required: true,
    isIn: ifStatus(405),
  },
  'Cache-Control': {
    description: 'How long the response may be used without asking again.',
    example: 'public, max-age=3600, s-maxage=3600, stale-if-error=86400',
    required: true,
    isIn: ifConditional,
  },
  'Content-Disposition': {
    description: 'The file name of CSV, NDJSON and Parquet.',
    example: 'attachment; filename="toilets.csv"',
    isIn: (status, { content }) => status < 300 && Object.keys(content).length > 1,
  },
  'Content-Range': {
    description: 'Which bytes these are, and the length of the whole file.',
    example: 'bytes 0-1023/12714',
    required: true,
    isIn: ifStatus(206, 416),
  },
  ETag: {
    description: 'Names this body: sent back as `If-None-Match`, it gets 304 while nothing has changed.',
    example: '"nvZeiGuvWJFDrMIvVkCX1_.j38qrn"',
    required: true,
    isIn: ifConditional,
  },
  'Ignored-Parameters': {
    description: 'Unknown parameters that were ignored, each with the most similar known one.',
    example: 'pge;nearest=page',
    isIn: ifFine,
  },
  'Last-Modified': {
    description: 'When the release became current; of live counts the time of the reading.',
    example: 'Mon, 01 Jul 2024 13:01:56 GMT',
    required: true,
    isIn: ifConditional,
  },
  Link: {
    description:
      'Licence, source and description of the dataset (`license`, `via`, `describedby`); of pages `first`, `prev`, `next` and `last`.',
    example: '</v1/vehicles?page=2&make=ford>; rel="next", </v1/datasets/vehicles>; rel="describedby"',
    isIn: ifFine,
  },
  RateLimit: {
    description: 'Remaining requests, and seconds until the window ends; absent where no limit is set.',
    example: '"hourly";r=599;t=3600',
    isIn: ifLimited,
  },
  'RateLimit-Policy': {
    description: 'The quota, and the window in seconds.',
    example: '"hourly";q=600;w=3600',
    isIn: ifLimited,
  },
  'Repr-Digest': {
    description: 'SHA-256 of the whole file (RFC 9530).',
    example: 'sha-256=:06AKt1AvkCyzM1kYlbf5UlT4Y5YvH0yWwq3f0qZ0e5k=:',
    required: true,
    isIn: ifRanged,
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    example: '1734',
    required: true,
    isIn: ifStatus(429, 503),
  },
  'Synthetic-Data': {
    description: '`true` marks invented data; absent for real data.',
    example: 'true',
    isIn: ifFine,
  },
}

/** The headers of a response with this status, by name. */
export const headersIn = (status: number, operation: Operation) =>
  Object.entries(HEADERS).flatMap(([name, { isIn, ...header }]) =>
    isIn(status, operation) ? [{ name, ...header }] : [],
  )
