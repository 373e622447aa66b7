/** The path and query of a request with the values of the form. Blank values are not sent; in the path they stay as `{name}`. */
export function requestPath(path: string, values: ReadonlyMap<string, string>): string {
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
