/** Whether the request asks for `Prefer: handling=strict` (RFC 7240 4.4). */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',')
  return preferences.some(preference => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}
