import type { FastifyReply, FastifyRequest } from 'fastify'
import { cacheControl } from './cache-control.ts'
import { isNotModified } from './conditional.ts'
import { type Coding, encode, LEAST_COMPRESSED, preferredCoding } from './content-coding.ts'
import type { Representation } from './representation.ts'

/** Answers with a representation by the rules of HTTP: validators, 304, caching, content coding. */
export async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Representation,
): Promise<Buffer | undefined> {
  const coding = preferredCoding(request.headers['accept-encoding'])
  const etag = entityTag(answer.tag, coding)
  reply.headers({
    ...answer.headers,
    ...(answer.synthetic ? { 'synthetic-data': 'true' } : {}),
    'cache-control': cacheControl(answer),
    'last-modified': answer.lastModified.toUTCString(),
    vary: 'Accept-Encoding',
  })
  if (isNotModified(request.headers, etag, answer.lastModified)) {
    reply.code(304).header('etag', etag)
    return undefined
  }
  const body = await answer.body()
  const used = body.length < LEAST_COMPRESSED ? 'identity' : coding
  reply.type('application/json; charset=utf-8').header('etag', entityTag(answer.tag, used))
  if (used !== 'identity') reply.header('content-encoding', used)
  return encode(body, used)
}

/** A strong tag names the bytes, and each coding has other bytes (RFC 9110 8.8.3). */
const entityTag = (tag: string, coding: Coding) => (coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`)
