import type { ParsedRequest } from '../../http/request/message.ts'
import { isNotModified } from '../../http/response/conditional.ts'
import {
  bytesOf,
  contentHeaders,
  notModified,
  type PreparedResponse,
  validatorHeaders,
} from '../../http/response/prepared-response.ts'
import { requestedRange } from '../../http/response/ranges.ts'
import type { Representation } from '../../http/response/representation.ts'
import type { SharedParts } from '../../http/routing/router.ts'
import type { BulkFile } from './temporary-files.ts'

/**
 * The response with a file, whole or the part that the request asks for; 304 where the client's copy is current. Throws the
 * problem OVERLOADED where there is no memory for another download.
 */
export function fileResponse(
  file: BulkFile,
  about: Omit<Representation, 'body'> & { readonly type: string },
  { headers, response, client }: Pick<ParsedRequest, 'headers' | 'response' | 'client'>,
  { admit }: SharedParts['unread'],
): PreparedResponse {
  const etag = `"${file.sha256}"`
  if (isNotModified(headers, etag, about.lastModified)) return notModified(about, etag)
  const { bytes: length } = file
  // A range is defined for GET alone (RFC 9110 14.2).
  const asked = response.req.method === 'GET' ? headers : {}
  const lastModified = about.lastModified.toUTCString()
  const range = requestedRange(asked, { length, etag, lastModified })
  const { start, end } = range ?? { start: 0, end: length }
  admit(client(), bytesOf({ coding: 'identity' }))
  return {
    status: range === undefined ? 200 : 206,
    headers: [
      ...[...validatorHeaders(about), 'etag', etag, ...contentHeaders(about, 'identity')],
      ...['accept-ranges', 'bytes', 'content-length', String(end - start)],
      ...(range === undefined ? [] : ['content-range', `bytes ${start}-${end - 1}/${length}`]),
      // Of the whole file, whatever part of it is sent (RFC 9530 3).
      ...['repr-digest', `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`],
    ],
    body: { ...file.read({ start, end }), coding: 'identity' },
  }
}
