import { language } from '../texts/en/language.ts'

/** Joins alternatives: `phone, paycard or pay station`. */
export const ALTERNATIVES = new Intl.ListFormat(language.locale, { type: 'disjunction' })

/** Joins parts of a whole: `cubicles, urinals and sinks`. */
export const PARTS = new Intl.ListFormat(language.locale, { type: 'conjunction' })
