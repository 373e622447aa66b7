/** Text as the content of an XML element or attribute: escaped, without the characters that XML 1.0 (2.2) has no way to write. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** An element with text, or with elements. */
export function element(
  name: string,
  content: string | readonly string[] | null,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`)
  const start = `<${name}${written.join('')}`
  if (content === null) return `${start}/>`
  return `${start}>${typeof content === 'string' ? xmlText(content) : content.join('')}</${name}>`
}
