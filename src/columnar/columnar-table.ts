import type { Collection } from '../query/collection.ts'
import { oneBatch } from '../query/one-batch.ts'
import type { TableLayout } from '../store/layout.ts'
import { buffersOf, type Parts } from './indexes/table-data.ts'
import { countWords, namedCounts } from './query/counts.ts'
import { openPages } from './query/pages.ts'
import { openQuestions } from './query/plan.ts'
import { openRows } from './render/rows.ts'

/** A table of one release that is held in memory. */
export interface Register extends Collection {
  /** How much memory the table takes. */
  readonly bytes: number
  /** Whether rows are kept as they are sent, or put together each time. */
  readonly hasReadyRows: boolean
}

/** Answers from parts. Each answer is worked out at one go, in memory that serves the next one as well. */
export function openRegister(layout: TableLayout, parts: Parts): Register {
  const questions = openQuestions(layout, parts)
  const pages = openPages(parts.rows, parts.pairs)
  const json = openRows(layout, parts)
  const bytes = [...buffersOf(parts)].reduce((sum, { byteLength }) => sum + byteLength, 0)
  return {
    bytes,
    hasReadyRows: parts.content.kind === 'ready',

    execute: ({ filters = [], offset = 0, limit = parts.rows }) =>
      questions.ask(filters, question => {
        const { total, rows } = pages(question, offset, limit)
        return {
          total,
          json: (before = '', after = '') => json(rows, before, after),
          batches: () => oneBatch(rows.length, () => json(rows, '', '')),
        }
      }),

    count({ by: [field = ''], filters = [] }) {
      const words = questions.wordColumn(field)
      return questions.ask(filters, question => namedCounts(words, countWords(words.part, question)))
    },
  }
}
