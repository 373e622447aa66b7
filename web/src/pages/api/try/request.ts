/** A request before it is sent: an operation's path, and the values of the form. */
export interface Draft {
  readonly path: string
  /** Values by parameter. Blank values are not sent. */
  readonly values: ReadonlyMap<string, string>
}

/** The path and query of a draft. A part of the path without a value stays as `{name}`. */
export function requestPath({ path, values }: Draft): string {
  const inPath = new Set<string>()
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    inPath.add(name)
    const value = values.get(name) ?? ''
    return value === '' ? whole : encodeURIComponent(value)
  })
  const query = [...values]
    .filter(([name, value]) => value !== '' && !inPath.has(name))
    // Commas and colons may stand in a query (RFC 3986 3.4), and read better.
    .map(
      ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':')}`,
    )
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** The same request as people write it, by language. */
export function examplesOf(url: string): readonly { readonly language: string; readonly code: string }[] {
  return [
    { language: 'curl', code: `curl '${url.replaceAll("'", '%27')}'` },
    {
      language: 'TypeScript',
      code: `const response = await fetch(${JSON.stringify(url)})
if (!response.ok) throw new Error((await response.json()).detail)
const data = await response.json()`,
    },
    {
      language: 'Python',
      code: `import json, urllib.request
with urllib.request.urlopen(${JSON.stringify(url)}) as response:
    data = json.load(response)`,
    },
  ]
}
