import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { prefersStrict } from './preferences.ts'

type Ignored = { readonly name: string; readonly nearest: string | undefined }

/** Enough to see what was meant, and not so many that the header outgrows what proxies take. */
const MOST_NAMED = 10

/**
 * Names unknown parameters in the header Ignored-Parameters, each with the known one that may have been meant; under
 * `Prefer: handling=strict` throws the problem UNKNOWN_PARAMETER instead.
 */
export function reportIgnored(
  request: FastifyRequest,
  reply: FastifyReply,
  ignored: readonly Ignored[],
  known: readonly string[],
): void {
  const strict = prefersStrict(request.headers.prefer)
  if (strict) reply.header('preference-applied', 'handling=strict')
  if (ignored.length === 0) return
  if (strict) throw unknownParameters(ignored, known)
  reply.header('ignored-parameters', ignored.slice(0, MOST_NAMED).map(headerItem).join(', '))
}

function unknownParameters(ignored: readonly Ignored[], known: readonly string[]): Problem {
  const allowed = known.length > 0 ? `one of ${known.join(', ')}` : 'no parameters'
  const errors = ignored.map(({ name, nearest }) => ({
    parameter: name.slice(0, 100),
    detail: 'is not a parameter of this endpoint',
    allowed,
    ...(nearest === undefined ? {} : { nearest }),
  }))
  return new Problem('UNKNOWN_PARAMETER', `Not known here: ${errors.map(e => e.parameter).join(', ')}`, {
    errors,
  })
}

/** A name may hold anything; percent-encoding keeps the header to plain characters. */
function headerItem({ name, nearest }: Ignored): string {
  const item = encodeURIComponent(name.slice(0, 50).toWellFormed())
  return nearest === undefined ? item : `${item};nearest=${nearest}`
}
