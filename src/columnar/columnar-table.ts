import type { TableLayout } from '../query/layout.ts'
import type { Collection, Result, RowBatch, Selection, StoredRecord } from '../query/query.ts'
import { countDictionary, countFields, groupsOf, valuesOf } from './counts.ts'
import type { Numbers } from './measures.ts'
import { findPage, type Page } from './pages.ts'
import { openRows, type RenderRows } from './render.ts'
import { openSelect, openValueCodes } from './select.ts'
import { buffersOf, type TableData } from './table-data.ts'

/** A table of one release in memory. */
export interface ColumnarTable extends Collection {
  /** The size of all columns and indexes. */
  readonly bytes: number
  /** Whether rows are held as JSON rather than assembled for each result. */
  readonly isPrerendered: boolean
  /** The JSON texts of all rows in served order, in batches. */
  texts(): Iterable<readonly string[]>
}

/** Opens a table over its data. Queries run synchronously and share working memory. */
export function openColumnarTable(layout: TableLayout, data: TableData): ColumnarTable {
  const select = openSelect(layout, data)
  const valueCodes = openValueCodes(layout, data)
  const numbersOf = (field: string): Numbers => {
    const column = data.ordered.find(({ name, type }) => name === field && type === 'number')
    if (column === undefined) throw new RangeError(`field "${field}" is no number`)
    return column
  }
  const renderer = openRows(layout, data)
  const bytes = [...buffersOf(data)].reduce((sum, { byteLength }) => sum + byteLength, 0)
  return {
    bytes,
    isPrerendered: data.prerendered !== undefined,

    *texts() {
      const render = renderer()
      for (let from = 0; from < data.rows; from += BATCH_ROWS) {
        const length = Math.min(BATCH_ROWS, data.rows - from)
        const rows = Uint32Array.from({ length }, (_, at) => from + at)
        // JSON has no line feeds.
        yield render(rows, '', '', '\n').toString().split('\n')
      }
    },

    execute(query) {
      requireNoPlace(query)
      const page = findPage(select(query.filters ?? []), query, data.ordering, valueCodes)
      return resultOf(page, renderer(query.fields))
    },

    count(query) {
      requireNoPlace(query)
      const { by, of = [], filters = [] } = query
      const fields = by.map(valueCodes)
      const isPlain = by.length === 1 && of.length === 0
      const dictionary = isPlain ? data.dictionaries.find(({ name }) => name === by[0]) : undefined
      const measured = of.map(numbersOf)
      const selected = select(filters)
      return dictionary === undefined
        ? countFields(fields, selected.rows(), measured)
        : groupsOf(countDictionary(dictionary, selected), valuesOf(fields))
    },
  }
}

function requireNoPlace({ place }: Selection): void {
  if (place !== undefined) throw new RangeError('the records of a table have no place')
}

const BATCH_ROWS = 500

function resultOf(page: Page, render: RenderRows): Result {
  const rowsFrom = (from: number, most: number): Uint32Array => {
    const rows = new Uint32Array(Math.min(most, page.length - from))
    if (rows.length > 0) page.read(from, rows)
    return rows
  }
  return {
    total: page.total,
    json: (before = '', after = '') => render(rowsFrom(0, page.length), before, after),
    async *batches() {
      for (let from = 0; from < page.length; from += BATCH_ROWS)
        yield batchOf(rowsFrom(from, BATCH_ROWS), render)
    },
  }
}

function batchOf(rows: Uint32Array, render: RenderRows): RowBatch {
  return {
    length: rows.length,
    json: () => render(rows, '', ''),
    records: () => JSON.parse(render(rows, '[', ']').toString()) as StoredRecord[],
  }
}
