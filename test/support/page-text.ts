const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

const decoded = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** The text of HTML as a reader sees it: without what scripts and heads hold, blanks collapsed. */
export function textOf(html: string): string {
  const shown = html.replace(/<(script|head)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, ' ')
  return decoded(shown).replace(/\s+/g, ' ').trim()
}

/** An address as an attribute has it. */
export const hrefOf = (attribute: string): string => decoded(attribute)
