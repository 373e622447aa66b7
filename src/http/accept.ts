import Negotiator from 'negotiator'
import { Problem } from '../errors.ts'

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes one of the media types (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || accept.trim() === '') return
  if (new Negotiator({ headers: { accept } }).mediaType([...types]) !== undefined) return
  throw new Problem(
    'NOT_ACCEPTABLE',
    `This address answers ${types.join(', ')}; the Accept header takes none of that.`,
  )
}
