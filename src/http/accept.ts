import Negotiator from 'negotiator'
import { Problem } from '../errors.ts'
import { remembered } from '../values/remembered.ts'

const JSON_ALONE = 'application/json'

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes JSON (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined): void {
  if (acceptsJson(accept)) return
  throw new Problem(
    'NOT_ACCEPTABLE',
    `This address answers ${JSON_ALONE}; the Accept header takes none of that.`,
  )
}

/** Whether the Accept header takes JSON; where there is none, it does. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || takesJson(accept)
}

const takesJson = remembered(
  accept =>
    accept.trim() === '' || new Negotiator({ headers: { accept } }).mediaType([JSON_ALONE]) !== undefined,
)
