import type { Cell } from './cells.ts'

/** The whole of a table as the engine keeps it, for a register in memory to be made from. */
export interface TableContents {
  /** The distinct words of a `word` column, each under the code by which rows name it, and what it folds to. */
  words(column: string): Promise<readonly Word[]>
  /** All rows in served order, many at a time, each with its cells in the order of the layout's columns. */
  rows(): AsyncIterable<readonly (readonly Cell[])[]>
}

export interface Word {
  readonly code: number
  readonly value: string
  readonly folded: string
}
