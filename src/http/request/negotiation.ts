import Negotiator from 'negotiator'
import { Problem } from '../../errors.ts'
import type { Format } from '../../values/format.ts'
import { memoise, memoiseSent } from '../../values/memoise.ts'

export const JSON_TYPE = 'application/json'

/** The format of every response that has no other formats. */
export const JSON_FORMAT: Format = { name: 'json', mediaType: `${JSON_TYPE}; charset=utf-8` }

/** The parameters of media ranges, except the weight. */
const RANGE_PARAMETERS = /;(?!\s*q\s*=)[^;,]*/gi

/**
 * Creates a function that returns the offered format that an Accept header prefers (RFC 9110 12.5.1). Without a preference, the
 * first offered format wins. The result is undefined if the header accepts no offered format. Parameters of media types, such
 * as charset, are ignored.
 */
export function formatNegotiator(
  offered: readonly Format[],
): (accept: string | undefined) => Format | undefined {
  const named = offered.flatMap(format =>
    [format.mediaType, format.alsoNamed ?? []].flat().map(type => ({ type: essenceOf(type), format })),
  )
  const preferred = preferenceAmong(named.map(({ type }) => type).join())
  return accept => (accept === undefined ? offered[0] : named[preferred(accept)]?.format)
}

/** A function from an Accept header to the index of the preferred media type, or -1. Equal lists of types share a function. */
const preferenceAmong = memoise((list: string) => {
  const types = list.split(',')
  return memoiseSent(accept => {
    if (accept.trim() === '') return 0
    const headers = { accept: accept.replace(RANGE_PARAMETERS, '') }
    return types.indexOf(new Negotiator({ headers }).mediaType(types) ?? '')
  })
})

/** Whether a media type is JSON, or has its syntax (RFC 6839 3.1). */
export const isJson = ({ mediaType }: Format): boolean =>
  /^application\/(.+\+)?json$/.test(essenceOf(mediaType))

/** Names formats for people: the word that selects each, and its media type. */
export const namesOf = (formats: readonly Format[]): readonly string[] =>
  formats.map(({ name, mediaType }) => `${name} (${essenceOf(mediaType)})`)

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes one of the media types (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined, ...types: readonly string[]): void {
  if (!types.some(type => accepts(accept, type))) throw notAcceptable(types.map(essenceOf))
}

/** The problem for a request that accepts no format of an endpoint. */
export const notAcceptable = (
  returned: readonly string[],
  why = 'which the Accept header does not allow',
): Problem => new Problem('NOT_ACCEPTABLE', `This endpoint returns ${returned.join(' or ')}, ${why}.`)

/** Whether the Accept header takes the media type; a request without the header takes any. */
const accepts = (accept: string | undefined, type: string): boolean =>
  accept === undefined || negotiatorOf(type)(accept) !== undefined

const negotiatorOf = memoise((type: string) => formatNegotiator([{ name: '', mediaType: type }]))

/** A media type without its parameters. */
export const essenceOf = (type: string): string => type.split(';', 1).join('')
