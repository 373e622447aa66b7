import type { TestApp } from './service.ts'

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

/** Opens an address as a browser does. */
export const openPage = (app: TestApp, url: string) => app.inject({ url, headers: { accept: 'text/html' } })

/** An address as an attribute has it. */
export const hrefOf = (attribute: string): string => decoded(attribute)
