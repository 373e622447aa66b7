import { MalformedEntryError } from '../../feed/mapping/entry.ts'

/** A cell, or a row as a whole, cannot be read; the message says what is wrong. */
export class MalformedCellError extends Error {
  override name = 'MalformedCellError'
  /** The cell's place in its row; null where the row is meant. */
  readonly place: number | null
  constructor(place: number | null, reason: string) {
    super(reason)
    this.place = place
  }
}

/** Reads a cell by a rule of the feed, and says of which cell it is what the rule has against it. */
export function byFeedRule<T>(place: number | null, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MalformedEntryError)) throw error
    throw new MalformedCellError(place, error.message)
  }
}
