/*
 * The bounds of a source. They lie far above what registers and lists of places have, and keep the time of an import
 * linear in the size of its source and the memory independent of it.
 */

/** Columns of CSV, fields of a JSON object. */
export const MOST_COLUMNS = 1000

/** Lines with values among which a table has its header: there may be titles, dates and notes above it. */
export const MOST_FIRST_LINES = 20

/** Characters of a CSV row or a JSON record. */
export const LONGEST_ROW = 1 << 20

/** Characters of one value. */
export const LONGEST_VALUE = 100_000

/** Objects and lists inside each other, of a JSON record or of JSON in a CSV value. */
export const DEEPEST = 100

/** Items of a value that is a list. */
export const MOST_ITEMS = 100

/** Times its packed size to which a gzip source may unpack; gzip itself reaches 1,030. Smaller results always pass. */
export const MOST_EXPANSION = { times: 100, beyondBytes: 1 << 20 }

/** Bytes of a workbook, which is held in memory: of its file, and of all its parts unpacked. */
export const LARGEST_WORKBOOK = { packed: 32 << 20, unpacked: 128 << 20 }

/** Characters of the different texts that the cells of a workbook refer to, which are held in memory. */
export const MOST_SHARED_CHARACTERS = 1 << 24

/** Milliseconds to wait until a program opens a named pipe for writing. */
export const PIPE_WAIT_MS = 10_000
