import Negotiator from 'negotiator'
import { Problem } from '../../errors.ts'
import { memoise } from '../../values/memoise.ts'

export const JSON_TYPE = 'application/json'

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes one of the media types (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined, ...types: readonly string[]): void {
  if (types.some(type => accepts(accept, type))) return
  throw new Problem(
    'NOT_ACCEPTABLE',
    `This address answers ${types.map(mediaTypeOf).join(' or ')}; the Accept header takes none of that.`,
  )
}

/** Whether the Accept header takes the media type; a request without the header takes any. */
export function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return true
  return type.startsWith(JSON_TYPE) ? takesJson(accept) : takes(accept, mediaTypeOf(type))
}

const takesJson = memoise(accept => takes(accept, JSON_TYPE))

function takes(accept: string, type: string): boolean {
  return accept.trim() === '' || new Negotiator({ headers: { accept } }).mediaType([type]) !== undefined
}

/** A media type without its parameters. */
const mediaTypeOf = (type: string): string => type.split(';', 1).join('')
