import Negotiator from 'negotiator'
import { Problem } from '../../errors.ts'
import { memoise } from '../../values/memoise.ts'

/** A form in which an endpoint offers its response. */
export interface OfferedFormat {
  /** The value of the parameter `format`, and the suffix of the path. */
  readonly name: string
  /** The media type, with its parameters. */
  readonly mediaType: string
  /** A more general media type by which requests may name it. */
  readonly alsoNamed?: string
}

export const JSON_TYPE = 'application/json'

/** The form of every response that is not offered in others. */
export const JSON_FORMAT: OfferedFormat = { name: 'json', mediaType: `${JSON_TYPE}; charset=utf-8` }

/** The parameters of media ranges other than the weight. */
const RANGE_PARAMETERS = /;(?!\s*q\s*=)[^;,]*/gi

/**
 * Creates a function that returns the offered format that an Accept header prefers (RFC 9110 12.5.1): the first offered one
 * where it prefers none, and undefined where it takes none of them. Parameters of media types, such as charset, are ignored.
 */
export function formatNegotiator(
  offered: readonly OfferedFormat[],
): (accept: string | undefined) => OfferedFormat | undefined {
  const named = offered.flatMap(format =>
    [format.mediaType, format.alsoNamed ?? []].flat().map(type => ({ type: essenceOf(type), format })),
  )
  const types = named.map(({ type }) => type)
  const preferred = memoise((accept: string) => {
    if (accept.trim() === '') return { format: offered[0] }
    const headers = { accept: accept.replace(RANGE_PARAMETERS, '') }
    const preferredType = new Negotiator({ headers }).mediaType(types)
    return { format: named.find(({ type }) => type === preferredType)?.format }
  })
  return accept => (accept === undefined ? offered[0] : preferred(accept).format)
}

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes one of the media types (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined, ...types: readonly string[]): void {
  if (!types.some(type => accepts(accept, type))) throw notAcceptable(types)
}

/** The problem for an Accept header that takes none of the media types. */
export const notAcceptable = (types: readonly string[]): Problem =>
  new Problem(
    'NOT_ACCEPTABLE',
    `This endpoint returns ${types.map(essenceOf).join(' or ')}, which the Accept header does not allow.`,
  )

/** Whether the Accept header takes the media type; a request without the header takes any. */
export const accepts = (accept: string | undefined, type: string): boolean =>
  accept === undefined || negotiatorOf(type)(accept) !== undefined

const negotiatorOf = memoise((type: string) => formatNegotiator([{ name: '', mediaType: type }]))

/** A media type without its parameters. */
const essenceOf = (type: string): string => type.split(';', 1).join('')
