import { meanings } from './en/language.ts'

const KNOWN: Readonly<Record<string, string>> = meanings

/** Words that the API or the service gives in English, in the language of the page where its catalogue has them. */
export const meaningOf = (english: string): string => KNOWN[english] ?? english
