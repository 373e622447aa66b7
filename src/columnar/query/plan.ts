import { type Column, columnOf, type TableLayout } from '../../query/layout.ts'
import type { Filter, RangeFilter, WordsFilter } from '../../query/query.ts'
import { wordsOf } from '../../query/words.ts'
import { dayNumber } from '../../values/day-number.ts'
import { fold } from '../../values/text.ts'
import { firstWhere } from '../indexes/bits.ts'
import { type DictionaryColumn, openDictionaryColumn } from '../indexes/dictionary-column.ts'
import { type OrderedColumn, openOrderedColumn, type ValueRange } from '../indexes/ordered-column.ts'
import type { OrderingDate, TableData } from '../indexes/table-data.ts'
import type { RowRange } from './condition.ts'
import { openRowBitmap } from './row-bitmap.ts'

/** The rows of a range that meet every condition. Conditions that all rows meet are left out. */
export interface Plan extends RowRange {
  readonly dictionaries: readonly DictionaryColumn[]
  readonly ordered: readonly OrderedColumn[]
  /** The rows that words and digests select, one bit per row; undefined where none do. */
  readonly bitmap: Int32Array | undefined
  /** The number of conditions; the bitmap is one. */
  readonly conditions: number
}

/**
 * Plans a query by its filters and runs it. One query at a time: a plan lives in the selection masks of the columns and
 * in the bitmap, which are cleared when `run` returns. Throws RangeError for a field that is missing or does not take the filter.
 */
export type WithPlan = <T>(filters: readonly Filter[], run: (plan: Plan) => T) => T

/** Opens the columns of a table for queries. */
export function openPlanner(layout: TableLayout, data: TableData): WithPlan {
  const dictionaries = new Map(data.dictionaries.map(one => [one.name, openDictionaryColumn(one)]))
  const ordered = new Map(data.ordered.map(one => [one.name, openOrderedColumn(one)]))
  const bitmap = openRowBitmap(layout, data)

  return (filters, run) => {
    const selected = new Set<DictionaryColumn | OrderedColumn>()
    let [first, end] = [0, data.rows]

    function select(filter: Exclude<Filter, WordsFilter>): void {
      const { name, type } = columnOf(layout, filter.field)
      const dictionary = dictionaries.get(name)
      if (dictionary !== undefined && 'contains' in filter) {
        const folded = fold(filter.contains)
        // Every value contains "".
        if (folded === '') return
        dictionary.select('containing', folded)
        selected.add(dictionary)
      } else if (dictionary !== undefined && 'equals' in filter) {
        dictionary.select('equalTo', fold(String(filter.equals)))
        selected.add(dictionary)
      } else if (type === 'digest' && 'equals' in filter) {
        bitmap.keepDigest(name, fold(String(filter.equals)))
      } else {
        const range = valueRange(filter, type)
        const column = ordered.get(name)
        if (column === undefined) {
          const rows = rowsOfRange(data.ordering, range)
          first = Math.max(first, rows.first)
          end = Math.min(end, rows.end)
        } else {
          column.select(range)
          selected.add(column)
        }
      }
    }

    /** Selects in the columns in turn, so no other filter may have selected there. */
    function selectWords({ words, fields }: WordsFilter): void {
      const columns = fields.map(field => dictionaryOf(field))
      for (const word of wordsOf(words)) bitmap.keepContaining(columns, word)
    }

    try {
      for (const filter of filters) if ('words' in filter) selectWords(filter)
      for (const filter of filters) if (!('words' in filter)) select(filter)
      const columns = [...selected].filter(({ rows }) => rows < data.rows)
      const isEmpty = first >= end || columns.some(({ rows }) => rows === 0)
      return run({
        first,
        end: isEmpty ? first : end,
        isWhole: !isEmpty && end - first === data.rows,
        dictionaries: columns.filter((column): column is DictionaryColumn => 'selected' in column),
        ordered: columns.filter((column): column is OrderedColumn => !('selected' in column)),
        bitmap: bitmap.bits,
        conditions: columns.length + (bitmap.bits === undefined ? 0 : 1),
      })
    } finally {
      for (const column of selected) column.release()
      bitmap.clear()
    }
  }

  function dictionaryOf(field: string): DictionaryColumn {
    const column = dictionaries.get(columnOf(layout, field).name)
    if (column === undefined) throw new RangeError(`"${field}" has no words`)
    return column
  }
}

function valueRange(filter: Exclude<Filter, WordsFilter>, type: Column['type']): ValueRange {
  if (type === 'number' && 'equals' in filter) {
    const { equals } = filter
    return typeof equals === 'number' ? { from: equals, to: equals } : EMPTY
  }
  const isRange = !('contains' in filter || 'equals' in filter)
  if (isRange && type === 'day') return ends(filter, end => dayNumber(String(end)))
  if (isRange && type === 'number') return ends(filter, Number)
  throw new RangeError(`"${filter.field}" cannot be filtered like that`)
}

/** No number equals a text. */
const EMPTY: ValueRange = { from: 1, to: 0 }

function ends({ from, to }: RangeFilter, read: (end: number | string) => number): ValueRange {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : read(from),
    to: to === undefined ? Number.POSITIVE_INFINITY : read(to),
  }
}

/** Finds the rows of a range of the date by which rows are ordered. */
function rowsOfRange({ values, starts }: OrderingDate, { from, to }: ValueRange) {
  const first = firstWhere(0, values.length, date => (values[date] as number) <= to)
  const end = firstWhere(0, values.length, date => (values[date] as number) < from)
  return { first: starts[first] as number, end: starts[end] as number }
}
