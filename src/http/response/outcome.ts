import { chain, type MaybePromise } from '../../values/maybe-promise.ts'
import { JSON_TYPE } from '../request/accept.ts'
import { cacheControl } from './cache-control.ts'
import { type Conditions, isNotModified } from './conditional.ts'
import { type Coding, encode, LEAST_COMPRESSED, preferredCoding } from './content-coding.ts'
import type { Representation } from './representation.ts'

/** What goes out for an answer, whoever carries it. */
export interface Outcome {
  readonly status: number
  /** Names, in lower case, and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[]
  /** Absent from a 304. */
  readonly body?: Buffer
}

/** The headers of a request that decide in which form an answer goes out. */
export interface Asked extends Conditions {
  readonly 'accept-encoding'?: string | undefined
}

/** A representation in every form in which it goes out, each made once, when it is first asked for. */
export interface Sendable {
  /** Chooses the form by the rules of HTTP: validators, 304, content coding. */
  outcome(asked: Asked): MaybePromise<Outcome>
  /** Length of the body as it is. */
  readonly length: number
  /** The media type, with its parameters. */
  readonly type: string
}

const JSON_IN_UTF_8 = `${JSON_TYPE}; charset=utf-8`

/** Makes a representation ready to be sent. */
export function sendable(answer: Representation): Sendable {
  const { tag, lastModified, body, type = JSON_IN_UTF_8 } = answer
  const common = commonHeaders(answer)
  const forms = new Map<string, Outcome>()
  const keep = (kind: string, outcome: Outcome): Outcome => {
    forms.set(kind, outcome)
    return outcome
  }

  const unmodified = (etag: string): Outcome =>
    forms.get(etag) ?? keep(etag, { status: 304, headers: [...common, 'etag', etag] })

  const full = (coding: Coding, encoded: Buffer): Outcome => {
    const headers = [
      ...common,
      ...['etag', entityTag(tag, coding), 'content-type', type],
      ...(coding === 'identity' ? [] : ['content-encoding', coding]),
      ...['content-length', String(encoded.length)],
    ]
    return keep(coding, { status: 200, headers, body: encoded })
  }

  return {
    length: body.length,
    type,
    outcome(asked) {
      const accepted = preferredCoding(asked['accept-encoding'])
      const coding = body.length < LEAST_COMPRESSED ? 'identity' : accepted
      if (isConditional(asked)) {
        // A copy kept in either form is good.
        const known = [entityTag(tag, coding), entityTag(tag, 'identity')]
        const current = known.find(etag => isNotModified(asked, etag, lastModified))
        if (current !== undefined) return unmodified(current)
      }
      const made = forms.get(coding)
      if (made !== undefined) return made
      const encoded = encode(body, coding)
      return chain(encoded, bytes => full(coding, bytes))
    },
  }
}

const isConditional = (asked: Asked): boolean =>
  asked['if-none-match'] !== undefined || asked['if-modified-since'] !== undefined

/** What a 304 carries as well as the answer that it stands for (RFC 9110 15.4.5). */
function commonHeaders(answer: Representation): string[] {
  const headers: string[] = []
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '')
  if (answer.synthetic) headers.push('synthetic-data', 'true')
  headers.push('cache-control', cacheControl(answer))
  // Never later than the answer itself (RFC 9110 8.8.2.1), though the feed's clock may be ahead.
  headers.push('last-modified', httpDate(Math.min(answer.lastModified.getTime(), Date.now())))
  headers.push('vary', 'Accept-Encoding')
  return headers
}

let lastDate = { ms: 0, text: new Date(0).toUTCString() }

/** A time as HTTP writes it (RFC 9110 5.6.7). The last one is remembered: a release's is asked for all day. */
function httpDate(ms: number): string {
  if (ms !== lastDate.ms) lastDate = { ms, text: new Date(ms).toUTCString() }
  return lastDate.text
}

/** A strong tag names the bytes, and each coding has other bytes (RFC 9110 8.8.3). */
const entityTag = (tag: string, coding: Coding) => (coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`)
