import type { CellBatch, TableContents } from '../../store/contents.ts'
import type { TableLayout } from '../../store/layout.ts'
import { openRegister, type Register } from '../columnar-table.ts'
import type { LoosePart, Parts } from '../indexes/table-data.ts'
import { startDigests, startNumbers } from './assembled.ts'
import { dayTexts, startDays, startOrder } from './days.ts'
import { startWords } from './dictionary.ts'
import { countPairs } from './pairs.ts'
import { besideWords } from './posting-lists.ts'
import { readyPart } from './prerendered.ts'

export interface BuildOptions {
  /** The most memory, in bytes, that rows may take as they are sent; if they take more, they are put together instead. */
  readonly readyBytes: number
  /** What is otherwise fitted to large tables. For tests, which are to reach every border with few rows. */
  readonly sizes?: Sizes
}

export interface Sizes {
  /** The least number of rows in a block of a tally is 2 to the power of this. */
  readonly blockShift?: number
  /** The number of rows in a chunk of ready rows is 2 to the power of this. */
  readonly chunkShift?: number
  /** Folded words that together are at least this long are searched by their grams. */
  readonly gramsFrom?: number
  /** Columns with at least this many words have codes of others beside their lists. */
  readonly besideFrom?: number
}

/** Makes a register of a table that has so many rows. */
export async function buildRegister(
  contents: TableContents,
  layout: TableLayout,
  rows: number,
  options: BuildOptions,
): Promise<Register> {
  return openRegister(layout, await buildParts(contents, layout, rows, options))
}

/** Makes the parts of a register. Every array is made once, at its full size. */
export async function buildParts(
  contents: TableContents,
  layout: TableLayout,
  rows: number,
  { readyBytes, sizes = {} }: BuildOptions,
): Promise<Parts> {
  const words: ReturnType<typeof startWords>[] = []
  const days: ReturnType<typeof startDays>[] = []
  const numbers: ReturnType<typeof startNumbers>[] = []
  const digests: ReturnType<typeof startDigests>[] = []
  const order = startOrder(layout.newestFirstBy, rows)
  const takers: Taker[] = []
  for (const { name, type } of layout.columns) {
    if (type === 'word') takers.push(added(words, startWords(name, await contents.words(name), rows, sizes)))
    else if (type === 'number') takers.push(added(numbers, startNumbers(name, rows)))
    else if (type === 'digest') takers.push(added(digests, startDigests(name, rows)))
    else takers.push(name === layout.newestFirstBy ? order.take : added(days, startDays(name, rows)))
  }
  await fill(takers, contents, rows)

  const wordParts = words.map(column => column.finish())
  const dayParts = days.map(column => column.finish(wordParts, sizes.blockShift))
  const parts = {
    rows,
    order: order.finish(),
    words: wordParts.map(part => besideWords(part, wordParts, dayParts, sizes.besideFrom)),
    days: dayParts,
    pairs: countPairs(wordParts),
  }
  const loose: LoosePart = {
    kind: 'loose',
    numbers: numbers.map(column => column.finish()),
    digests: digests.map(column => column.finish()),
    dayTexts: new Map([parts.order, ...dayParts].map(({ name, days }) => [name, dayTexts(days)])),
  }
  return {
    ...parts,
    content: readyPart(layout, { ...parts, content: loose }, readyBytes, sizes.chunkShift) ?? loose,
  }
}

/** Takes the cells that a column has in some rows, the first of them given. */
type Taker = (cells: CellBatch, from: number) => void

function added<T extends { readonly take: Taker }>(columns: T[], column: T): Taker {
  columns.push(column)
  return column.take
}

async function fill(takers: readonly Taker[], contents: TableContents, rows: number): Promise<void> {
  let taken = 0
  for await (const batch of contents.rows()) {
    if (taken + batch.rows > rows) throw new Error(`the table has more than its ${rows} rows`)
    for (const [i, cells] of batch.columns.entries()) takers[i]?.(cells, taken)
    taken += batch.rows
  }
  if (taken < rows) throw new Error(`the table has ${taken} rows in place of ${rows}`)
}
