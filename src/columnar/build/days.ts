import type { CellBatch } from '../../store/contents.ts'
import { dayTimestamp } from '../../store/encoding/day-number.ts'
import { newCodes, startTally } from '../indexes/rank-index.ts'
import type { Codes, DayPart, OrderPart, Tally, Texts, WordPart } from '../indexes/table-data.ts'
import { waveletMatrix } from '../indexes/wavelet-matrix.ts'
import { packTexts } from '../render/texts.ts'
import { startCodes } from './codes.ts'
import { listBeside } from './posting-lists.ts'

/** Columns of more words have no tallies by day: the counts that are asked for are of few words. */
const MOST_TALLIED = 2048

/** Starts the column that rows are ordered by: `take` takes the days of rows, or null. */
export function startOrder(name: string, rows: number) {
  const days: number[] = []
  const starts: number[] = []
  let last = Number.POSITIVE_INFINITY
  let end = 0
  return {
    take(cells: CellBatch, from: number): void {
      for (let i = 0; i < cells.length; i++) {
        const day = cells[i] as number | null
        if (day === null) continue
        const row = from + i
        if (row !== end || day > last) throw new Error(`row ${row + 1} is not in the order of "${name}"`)
        end = row + 1
        if (day === last) continue
        days.push(day)
        starts.push(row)
        last = day
      }
    },
    finish: (): OrderPart => ({
      name,
      days: Int32Array.from(days),
      starts: Uint32Array.from([...starts, Math.min(end, rows)]),
    }),
  }
}

/** Starts another column of days: `take` takes the days of rows, or null. */
export function startDays(name: string, rows: number) {
  const found = startCodes(rows)
  return {
    take: found.take,
    finish(words: readonly WordPart[], leastShift?: number): DayPart {
      const { values } = found
      const days = Int32Array.from(values.filter(day => day !== null)).sort()
      const place = new Map<number | null, number>([...days].map((day, i) => [day, i]))
      const codes = recode(
        found.codes(),
        values.map(day => place.get(day) ?? days.length),
        days.length + 1,
      )
      const { starts, byDay } = rowsByDay(codes, days.length)
      const listed = listBeside(byDay, words)
      return {
        name,
        days,
        codes,
        listed,
        starts,
        matrix: waveletMatrix(byDay, rows),
        tallies: new Map(
          words
            .filter(({ tally }) => tally.words <= MOST_TALLIED)
            .map(word => [word.name, tallyByDay(word, byDay, leastShift)]),
        ),
      }
    },
  }
}

/** Gives each code its new one, in the same memory where it suffices. */
function recode(codes: Codes, newCode: readonly number[], things: number): Codes {
  const changed =
    codes.BYTES_PER_ELEMENT === newCodes(0, things).BYTES_PER_ELEMENT ? codes : newCodes(codes.length, things)
  for (let row = 0; row < codes.length; row++) changed[row] = newCode[codes[row] as number] as number
  return changed
}

function rowsByDay(codes: Codes, days: number) {
  const starts = new Uint32Array(days + 1)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code < days) starts[code + 1] = (starts[code + 1] as number) + 1
  }
  for (let day = 0; day < days; day++) starts[day + 1] = (starts[day + 1] as number) + (starts[day] as number)
  const byDay = new Uint32Array(starts[days] as number)
  const next = starts.slice()
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code === days) continue
    byDay[next[code] as number] = row
    next[code] = (next[code] as number) + 1
  }
  return { starts, byDay }
}

function tallyByDay({ codes, tally: { words } }: WordPart, byDay: Uint32Array, leastShift?: number): Tally {
  const { tally, add, end } = startTally(byDay.length, words, leastShift)
  for (let i = 0; i < byDay.length; i++) add(codes[byDay[i] as number] as number)
  end()
  return tally
}

/** The days as JSON, and last what stands for none. */
export function dayTexts(days: Int32Array): Texts {
  return packTexts([...Array.from(days, day => `"${dayTimestamp(day)}"`), 'null'])
}
