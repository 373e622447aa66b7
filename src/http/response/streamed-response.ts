import { isNotModified } from './conditional.ts'
import { preferredCoding } from './content-coding.ts'
import {
  entityTag,
  mediaTypeOf,
  notModified,
  type PreparedResponse,
  validatorHeaders,
} from './prepared-response.ts'
import type { Representation, StreamedBody } from './representation.ts'
import type { SelectionHeaders } from './stored-response.ts'

/** The response with a streamed body: 304 where the client's copy is current, else the stream in the coding it prefers. */
export function streamResponse(
  representation: Omit<Representation, 'body'>,
  { stream }: StreamedBody,
  request: SelectionHeaders,
): PreparedResponse {
  const { tag, lastModified } = representation
  const coding = preferredCoding(request['accept-encoding'])
  const tags = tag === undefined ? [] : [entityTag(tag, coding), entityTag(tag, 'identity')]
  const current = tags.find(etag => isNotModified(request, etag, lastModified))
  if (current !== undefined) return notModified(representation, current)
  const headers = [
    ...validatorHeaders(representation),
    ...tags.slice(0, 1).flatMap(etag => ['etag', etag]),
    ...['content-type', mediaTypeOf(representation)],
    ...(coding === 'identity' ? [] : ['content-encoding', coding]),
  ]
  return { status: 200, headers, body: { stream, coding } }
}
