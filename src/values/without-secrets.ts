/**
 * Removes the users and passwords of addresses from text, so that it is safe to print. In doubt it removes too much rather
 * than too little.
 */
export function withoutSecrets(text: string): string {
  return (
    text
      // Up to the last @: a password that is not percent-encoded may contain any character.
      .replace(/\/\/.*@/gs, '//…@')
      // Without a host: the text after the colon is not a port.
      .replace(/(\/\/(?![[/])[^/?#@…\s]*?):(?!\d{1,5}(?:[,/?#]|$)).*/s, '$1:…')
      .replace(/\/\/:\d+.*/s, '//:…')
      .replace(/([?&][^=&]*password[^=&]*=)[^&\s]*/gi, '$1…')
  )
}
