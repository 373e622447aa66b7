import type { FastifyReply, FastifyRequest } from 'fastify'
import { cacheControl } from './cache-control.ts'
import { isNotModified } from './conditional.ts'
import { type Coding, encode, LEAST_COMPRESSED, preferredCoding } from './content-coding.ts'
import type { Representation } from './representation.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers with a representation by the rules of HTTP: validators, 304, caching, content coding. */
export async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Representation,
): Promise<Buffer | undefined> {
  const accepted = preferredCoding(request.headers['accept-encoding'])
  const known = [entityTag(answer.tag, accepted), entityTag(answer.tag, 'identity')]
  const current = known.find(etag => isNotModified(request.headers, etag, answer.lastModified))
  if (current !== undefined) {
    reply.code(304).headers({ ...commonHeaders(answer), etag: current })
    return undefined
  }
  const body = await answer.body()
  const coding = body.length < LEAST_COMPRESSED ? 'identity' : accepted
  const encoded = await encode(body, coding)
  // Set last: should making the body fail, the error carries none of them.
  reply.headers({
    ...commonHeaders(answer),
    etag: entityTag(answer.tag, coding),
    'content-type': answer.type ?? JSON_TYPE,
  })
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return encoded
}

/** What a 304 carries as well as the answer that it stands for (RFC 9110 15.4.5). */
const commonHeaders = (answer: Representation) => ({
  ...answer.headers,
  ...(answer.synthetic ? { 'synthetic-data': 'true' } : {}),
  'cache-control': cacheControl(answer),
  // Never later than the answer itself (RFC 9110 8.8.2.1), though the feed's clock may be ahead.
  'last-modified': new Date(Math.min(answer.lastModified.getTime(), Date.now())).toUTCString(),
  vary: 'Accept-Encoding',
})

/** A strong tag names the bytes, and each coding has other bytes (RFC 9110 8.8.3). */
const entityTag = (tag: string, coding: Coding) => (coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`)
