/** The headers that make a request conditional, as Node gives them. */
export interface Conditions {
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
}

/**
 * Whether the client's copy is still current, so that the response is 304 (RFC 9110 13.2.2).
 * If-None-Match wins over If-Modified-Since; tags are compared weakly (13.1.2).
 */
export function isNotModified(conditions: Conditions, etag: string, lastModified: Date): boolean {
  const wanted = conditions['if-none-match']
  if (wanted !== undefined) return wanted.trim() === '*' || namesTag(conditions, etag)
  const since = Date.parse(conditions['if-modified-since'] ?? '')
  // HTTP dates have whole seconds (5.6.7). A value that is not a date is ignored (13.1.3).
  return !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

/** Whether If-None-Match names the tag itself (`*` does not count): only a client with a copy knows it. */
export function namesTag(conditions: Conditions, etag: string): boolean {
  const wanted = conditions['if-none-match']
  return wanted !== undefined && (wanted === etag || entityTags(wanted).includes(opaque(etag)))
}

/** The opaque parts of a list of entity tags (RFC 9110 8.8.3); a tag may contain commas. */
function entityTags(list: string): string[] {
  return [...list.matchAll(/(?:W\/)?"([^"]*)"/g)].map(match => match[1] ?? '')
}

const opaque = (etag: string) => etag.slice(etag.indexOf('"') + 1, -1)
