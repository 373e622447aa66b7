/** Joins alternatives: `phone, paycard or pay station`. */
export const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Joins parts of a whole: `cubicles, urinals and sinks`. */
export const PARTS = new Intl.ListFormat('en-GB', { type: 'conjunction' })
