/**
 * Text without the users and passwords of addresses in it, so that it may be printed. Whatever stands where a password
 * may stand goes, rather too much than too little.
 */
export function withoutSecrets(text: string): string {
  return (
    text
      // Up to the last @: a password that is not percent-encoded may hold anything.
      .replace(/\/\/.*@/gs, '//…@')
      // The host was forgotten: what follows a colon is no port.
      .replace(/(\/\/(?![[/])[^/?#@…\s]*?):(?!\d{1,5}(?:[,/?#]|$)).*/s, '$1:…')
      .replace(/\/\/:\d+.*/s, '//:…')
      .replace(/([?&][^=&]*password[^=&]*=)[^&\s]*/gi, '$1…')
  )
}
