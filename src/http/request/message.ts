import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type ParameterError, Problem } from '../../errors.ts'

/** A request whose route is known. */
export interface ParsedRequest {
  /** The target as sent. */
  readonly url: string
  readonly queryString: string
  readonly headers: IncomingHttpHeaders
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Headers of the response, whether the request succeeds or fails: names in lower case, alternating with values. */
  readonly responseHeaders: string[]
  /** Returns what identifies the client for limits and shares: its IPv4 address, or the /64 of its IPv6 one. */
  readonly client: () => string
  /** The response; only a body that is attached to it may write to it. */
  readonly response: ServerResponse
}

/**
 * Throws BAD_REQUEST for messages that Node's parser accepts but caches and proxies may read differently: several Host
 * headers or, in HTTP/1.1, none (RFC 9112 3.2), and an HTTP version that is not 1.0 or 1.1. The connection is closed.
 */
export function requireUnambiguous({ httpVersion, rawHeaders }: IncomingMessage): void {
  const wrong = ambiguity(httpVersion, countHosts(rawHeaders))
  if (wrong !== undefined) throw new Problem('BAD_REQUEST', wrong, { headers: { connection: 'close' } })
}

function ambiguity(version: string, hosts: number): string | undefined {
  if (version !== '1.1' && version !== '1.0') return 'The HTTP version is not 1.0 or 1.1.'
  if (hosts > 1) return 'The request has several Host headers.'
  return hosts === 0 && version === '1.1' ? 'The request has no Host header.' : undefined
}

/** Counts in the raw headers: `headers` has only the first Host. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** The path of a request's target. */
export function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

/** The query string of a request's target. */
export function queryStringOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/**
 * Splits a query string into decoded names and values, in the order sent. Pairs that are not valid percent-encoded UTF-8
 * are added to `errors` instead of being guessed.
 */
export function splitQuery(queryString: string, errors: ParameterError[]): { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = []
  for (const part of queryString.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const [rawName, rawValue] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    const name = decoded(rawName)
    const value = decoded(rawValue)
    if (name !== undefined && value !== undefined) pairs.push({ name, value })
    else
      errors.push({
        parameter: name ?? rawName.slice(0, 100),
        value: rawValue.slice(0, 100),
        detail: 'is not valid percent-encoded UTF-8',
        allowed: 'UTF-8, with % written as %25',
      })
  }
  return pairs
}

function decoded(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
