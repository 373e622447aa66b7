/** Keyword that lists the values known of an open enumeration: others are published, with a warning. */
export const KNOWN_VALUES = 'x-known-values'
