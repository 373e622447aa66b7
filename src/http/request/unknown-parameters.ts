import { Problem } from '../../errors.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { prefersStrict } from './preferences.ts'

export type UnknownParameter = { readonly name: string; readonly nearest: string | undefined }

/** Keeps the header within the size that proxies accept. */
const MAX_NAMED = 10

/**
 * Names unknown parameters in the header Ignored-Parameters, each with the known one that may have been meant; under
 * `Prefer: handling=strict` throws the problem UNKNOWN_PARAMETER instead.
 */
export function reportUnknownParameters(
  { headers, responseHeaders }: ParsedRequest,
  unknown: readonly UnknownParameter[],
  known: readonly string[],
): void {
  const strict = headers.prefer !== undefined && prefersStrict(headers.prefer)
  if (strict) responseHeaders.push('preference-applied', 'handling=strict')
  if (unknown.length === 0) return
  if (strict) throw unknownParameters(unknown, known)
  responseHeaders.push('ignored-parameters', unknown.slice(0, MAX_NAMED).map(headerItem).join(', '))
}

function unknownParameters(unknown: readonly UnknownParameter[], known: readonly string[]): Problem {
  const allowed = known.length > 0 ? `one of ${known.join(', ')}` : 'no parameters'
  const errors = unknown.map(({ name, nearest }) => ({
    parameter: name.slice(0, 100),
    detail: 'is not a parameter of this endpoint',
    allowed,
    ...(nearest === undefined ? {} : { nearest }),
  }))
  return new Problem('UNKNOWN_PARAMETER', `Not known here: ${errors.map(e => e.parameter).join(', ')}`, {
    errors,
  })
}

/** A name may contain any character; percent-encoding makes it valid in a header. */
function headerItem({ name, nearest }: UnknownParameter): string {
  const item = encodeURIComponent(name.slice(0, 50).toWellFormed())
  return nearest === undefined ? item : `${item};nearest=${nearest}`
}
