/*
 * The bounds of a source, far above the size of real registers and lists of places. With them, the time of an import is
 * linear in the size of the source, and the memory does not depend on that size.
 */

/** Columns of CSV, fields of a JSON object. */
export const MOST_COLUMNS = 1000

/** The header of a table is among this many lines with values: titles, dates and notes may be above it. */
export const MOST_FIRST_LINES = 20

/** Characters of a CSV row or a JSON record. */
export const LONGEST_ROW = 1 << 20

/** Characters of one value. */
export const LONGEST_VALUE = 100_000

/** The depth of nested objects and lists in a JSON record, or in JSON in a CSV value. */
export const DEEPEST = 100

/** Items of a value that is a list. */
export const MOST_ITEMS = 100

/**
 * A gzip source may unpack to this many times its packed size; gzip itself reaches 1,030. Results up to `beyondBytes`
 * always pass.
 */
export const MOST_EXPANSION = { times: 100, beyondBytes: 1 << 20 }

/** Bytes of a workbook, which is held in memory: of the file, and of all parts when unpacked. */
export const LARGEST_WORKBOOK = { packed: 32 << 20, unpacked: 128 << 20 }

/** Characters of the different texts in the cells of a workbook: these texts are held in memory. */
export const MOST_SHARED_CHARACTERS = 1 << 24

/** Milliseconds to wait until a program opens a named pipe for writing. */
export const PIPE_WAIT_MS = 10_000
