import { isBlank } from '../../../sources/blank.ts'
import { MalformedEntryError, readEntry } from '../../feed/mapping/entry.ts'
import { parseTime, type TextTime, TIME_FORMS } from './times/time-text.ts'

/** A cell, or a row as a whole, cannot be read; the message says why. */
export class MalformedCellError extends Error {
  override name = 'MalformedCellError'
  /** The cell's place in its row; null for the row as a whole. */
  readonly place: number | null
  constructor(place: number | null, reason: string) {
    super(reason)
    this.place = place
  }
}

/** Reads a cell by a rule of the feed, and adds the cell's position to its error. */
export function byFeedRule<T>(place: number | null, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MalformedEntryError)) throw error
    throw new MalformedCellError(place, error.message)
  }
}

/** Reads the cell at a place; `undefined` for the place means that the file has no such column. Throws {@link MalformedCellError}. */
type ReadCell<T> = (cells: readonly string[], place: number | undefined) => T

/** Creates a reader of times. Consecutive rows often have the same time, which is read once. */
export function timeReader(): ReadCell<TextTime> {
  let lastText: string | undefined
  let last: TextTime | undefined
  return (cells, place = -1) => {
    const text = cells[place]?.trim() ?? ''
    if (text !== lastText) {
      lastText = text
      last = parseTime(text)
    }
    if (last === undefined) throw new MalformedCellError(place, TIME_FORMS)
    return last
  }
}

const OPEN: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Reads whether a car park was open; null where the cell is blank. */
export const readOpen: ReadCell<boolean | null> = (cells, place = -1) => {
  const open = OPEN.get((cells[place] ?? '').trim().toLowerCase())
  if (open === undefined) throw new MalformedCellError(place, 'must be True, False, 1, 0 or blank')
  return open
}

const MOST_STATUSES = 1000

/** Creates a reader that collects statuses in a list and returns a status's place in it; 0 where the cell is blank. */
export function statusReader(statuses: (string | null)[]): ReadCell<number> {
  const places = new Map<string, number>()
  return (cells, place = -1) => {
    const cell = cells[place]
    if (cell === undefined || isBlank(cell)) return 0
    const before = places.get(cell)
    if (before !== undefined) return before
    if (statuses.length > MOST_STATUSES)
      throw new MalformedCellError(place, `is one of more than ${MOST_STATUSES} different words`)
    // The feed's own rule.
    const { status } = byFeedRule(place, () =>
      readEntry({ name: '-', code: '-', spaces: 0, status: cell, carparkOpen: true }),
    )
    statuses.push(status)
    places.set(cell, statuses.length - 1)
    return statuses.length - 1
  }
}
