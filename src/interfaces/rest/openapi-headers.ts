import type { Operation } from '../../http/routing/operation.ts'

interface Header {
  readonly description: string
  readonly example: string
  /** True where every response that has it documented has it. */
  readonly required?: true
}

/** The headers of responses that the document describes, by name. */
const HEADERS = {
  'Accept-Ranges': { description: 'Parts can be requested by `Range`.', example: 'bytes', required: true },
  Allow: { description: 'The methods that are allowed here.', example: 'GET, HEAD, OPTIONS', required: true },
  'Cache-Control': {
    description: 'How long the response may be used without asking again.',
    example: 'public, max-age=3600, s-maxage=3600, stale-if-error=86400',
    required: true,
  },
  'Content-Disposition': {
    description: 'The file name of CSV, NDJSON and Parquet.',
    example: 'attachment; filename="toilets.csv"',
  },
  'Content-Range': {
    description: 'Which bytes these are, and the length of the whole file.',
    example: 'bytes 0-1023/12714',
    required: true,
  },
  ETag: {
    description: 'Names this body: sent back as `If-None-Match`, it gets 304 while nothing has changed.',
    example: '"nvZeiGuvWJFDrMIvVkCX1_.j38qrn"',
    required: true,
  },
  'Ignored-Parameters': {
    description: 'Unknown parameters that were ignored, each with the most similar known one.',
    example: 'pge;nearest=page',
  },
  'Last-Modified': {
    description: 'When the release became current; of live counts the time of the reading.',
    example: 'Mon, 01 Jul 2024 13:01:56 GMT',
    required: true,
  },
  Link: {
    description:
      'Licence, source and description of the dataset (`license`, `via`, `describedby`); of pages `first`, `prev`, `next` and `last`.',
    example: '</v1/vehicles?page=2&make=ford>; rel="next", </v1/datasets/vehicles>; rel="describedby"',
  },
  RateLimit: {
    description: 'Remaining requests, and seconds until the window ends; absent where no limit is set.',
    example: '"hourly";r=599;t=3600',
  },
  'RateLimit-Policy': {
    description: 'The quota, and the window in seconds.',
    example: '"hourly";q=600;w=3600',
  },
  'Repr-Digest': {
    description: 'SHA-256 of the whole file (RFC 9530).',
    example: 'sha-256=:06AKt1AvkCyzM1kYlbf5UlT4Y5YvH0yWwq3f0qZ0e5k=:',
    required: true,
  },
  'Retry-After': { description: 'Seconds to wait.', example: '1734', required: true },
  'Synthetic-Data': { description: '`true` marks invented data; absent for real data.', example: 'true' },
} satisfies Record<string, Header>

type Name = keyof typeof HEADERS

const BY_STATUS: Readonly<Record<number, readonly Name[]>> = {
  206: ['Content-Range'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Refers to the headers of each response, and collects them as components: each is written once. */
export function namedHeaders() {
  const headers: Partial<Record<Name, object>> = {}
  function refer(status: number, operation: Operation): { headers?: Record<string, object> } {
    const names = namesOf(status, operation)
    for (const name of names) headers[name] ??= { ...HEADERS[name], schema: { type: 'string' } }
    if (names.length === 0) return {}
    const references = names.map(name => [name, { $ref: `#/components/headers/${name}` }])
    return { headers: Object.fromEntries(references) }
  }
  return { headers, refer }
}

function namesOf(status: number, operation: Operation): readonly Name[] {
  const { content, problems, isConditional, isRanged = false } = operation
  const isSuccess = status < 300
  const isFine = status < 400
  const among = (...names: Name[]) => names
  return [
    ...(isFine ? among('Ignored-Parameters', 'Link', 'Synthetic-Data') : []),
    ...(isFine && isConditional ? among('Cache-Control', 'ETag', 'Last-Modified') : []),
    ...(isSuccess && Object.keys(content).length > 1 ? among('Content-Disposition') : []),
    ...(isSuccess && isRanged ? among('Accept-Ranges', 'Repr-Digest') : []),
    ...(problems.includes(429) ? among('RateLimit', 'RateLimit-Policy') : []),
    ...(BY_STATUS[status] ?? []),
  ].sort()
}
