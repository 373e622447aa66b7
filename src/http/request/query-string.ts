import type { ParameterError } from '../../errors.ts'

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
