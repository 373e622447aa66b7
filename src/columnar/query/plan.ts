import type { Filter, RangeFilter } from '../../query/query.ts'
import { dayNumber } from '../../store/encoding/day-number.ts'
import type { Column, TableLayout } from '../../store/layout.ts'
import { fold } from '../../values/fold.ts'
import { firstWhere } from '../indexes/bits.ts'
import { type DayColumn, openDayColumn, type Range } from '../indexes/day-column.ts'
import type { OrderPart, Parts } from '../indexes/table-data.ts'
import { openWordColumn, type WordColumn } from '../indexes/word-column.ts'
import type { Stretch } from './condition.ts'

/** What is asked: the rows of a stretch that meet every condition. */
export interface Question extends Stretch {
  /** Conditions that every row meets are left out. */
  readonly words: readonly WordColumn[]
  readonly days: readonly DayColumn[]
}

/** Turns filters into questions, one at a time, as the answers use the columns' own memory. */
export interface Questions {
  /** Lets a question be answered. Throws RangeError where a filter asks a column what it does not hold. */
  ask<T>(filters: readonly Filter[], answer: (question: Question) => T): T
  /** Gives a column of words. Throws RangeError where there is none of that name. */
  wordColumn(name: string): WordColumn
}

export function openQuestions(layout: TableLayout, parts: Parts): Questions {
  const words = new Map(parts.words.map(part => [part.name, openWordColumn(part)]))
  const days = new Map(parts.days.map(part => [part.name, openDayColumn(part)]))

  return {
    wordColumn(name) {
      const { type } = columnOf(layout, name)
      const column = words.get(name)
      if (column === undefined) throw new RangeError(`column "${name}" does not hold words, but is a ${type}`)
      return column
    },

    ask(filters, answer) {
      const selected = new Set<WordColumn | DayColumn>()
      let [first, end] = [0, parts.rows]
      try {
        for (const filter of filters) {
          const { name, type } = columnOf(layout, filter.field)
          const isRange = !('contains' in filter || 'equals' in filter)
          if (type !== (isRange ? 'day' : 'word'))
            throw new RangeError(`column "${name}" cannot be asked that`)
          const wordColumn = words.get(name)
          const dayColumn = days.get(name)
          if (!isRange && wordColumn !== undefined) {
            const kind = 'contains' in filter ? 'containing' : 'equalTo'
            const folded = fold(String('contains' in filter ? filter.contains : filter.equals))
            // Every word contains nothing.
            if (kind === 'containing' && folded === '') continue
            wordColumn.select(kind, folded)
            selected.add(wordColumn)
          } else if (isRange && dayColumn !== undefined) {
            dayColumn.select(rangeOf(filter))
            selected.add(dayColumn)
          } else if (isRange) {
            const stretch = stretchOf(parts.order, rangeOf(filter))
            first = Math.max(first, stretch.first)
            end = Math.min(end, stretch.end)
          }
        }
        const conditions = [...selected].filter(({ rows }) => rows < parts.rows)
        const isEmpty = first >= end || conditions.some(({ rows }) => rows === 0)
        return answer({
          first,
          end: isEmpty ? first : end,
          isWhole: !isEmpty && end - first === parts.rows,
          words: conditions.filter((column): column is WordColumn => 'list' in column),
          days: conditions.filter((column): column is DayColumn => !('list' in column)),
        })
      } finally {
        for (const column of selected) column.release()
      }
    },
  }
}

function columnOf({ columns }: TableLayout, name: string): Column {
  const column = columns.find(candidate => candidate.name === name)
  if (column === undefined) throw new RangeError(`there is no column "${name}"`)
  return column
}

function rangeOf({ from, to }: RangeFilter): Range {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(String(from)),
    to: to === undefined ? Number.POSITIVE_INFINITY : dayNumber(String(to)),
  }
}

/** Finds the rows of a range on the day that rows are ordered by. */
function stretchOf({ days, starts }: OrderPart, { from, to }: Range) {
  const firstDay = firstWhere(0, days.length, day => (days[day] as number) <= to)
  const endDay = firstWhere(0, days.length, day => (days[day] as number) < from)
  return { first: starts[firstDay] as number, end: starts[endDay] as number }
}
