import type { Collection, CountKey, Filter } from '../../src/query/query.ts'

/** A measured query. */
export interface BenchQuestion {
  readonly name: string
  /** The target in milliseconds with ten million vehicles; undefined without a target. */
  readonly targetMs?: number
  readonly ask: (table: Collection) => unknown
}

const PAGE = 30
const page =
  (filters: readonly Filter[], offset = 0) =>
  async (table: Collection) =>
    (await table.execute({ filters, offset, limit: PAGE })).json()
const counts = (key: CountKey, filters: readonly Filter[]) => (table: Collection) =>
  table.count({ by: [key], filters })

const ford: Filter = { field: 'make', contains: 'ford' }
const fiesta: Filter = { field: 'model', contains: 'fiesta' }
const blue: Filter = { field: 'color', contains: 'blue' }
const purple: Filter = { field: 'color', contains: 'purple' }
const electric: Filter = { field: 'fuelType', equals: 'ELECTRIC' }
const first = (from: string, to: string): Filter => ({ field: 'firstRegisteredAt', from, to })
const here = (from: string, to: string): Filter => ({ field: 'firstRegisteredInJerseyAt', from, to })
const DECADES = ['1985-03-10', '2019-08-20'] as const
const YEAR = ['1985-01-01', '1985-12-31'] as const

/** Queries of consumers, and hard queries. */
export const QUESTIONS: readonly BenchQuestion[] = [
  { name: 'first page', targetMs: 10, ask: page([]) },
  { name: 'page 4,000', ask: page([], 4000 * PAGE) },
  { name: 'make=ford', targetMs: 60, ask: page([ford]) },
  { name: 'make=ford, page 400', ask: page([ford], 400 * PAGE) },
  { name: 'model=fiesta', ask: page([fiesta]) },
  { name: 'model=e', ask: page([{ field: 'model', contains: 'e' }]) },
  { name: 'model=zzzz', ask: page([{ field: 'model', contains: 'zzzz' }]) },
  { name: 'model=FIESTA, match=exact', ask: page([{ field: 'model', equals: 'FIESTA' }]) },
  { name: 'model=fiesta&color=blue', targetMs: 60, ask: page([fiesta, blue]) },
  { name: 'model=fiesta&color=purple', ask: page([fiesta, purple]) },
  { name: 'model=e&color=blue', ask: page([{ field: 'model', contains: 'e' }, blue]) },
  { name: 'make=ford&model=fiesta&color=blue', ask: page([ford, fiesta, blue]) },
  { name: 'make=ford&color=purple', ask: page([ford, purple]) },
  { name: 'fuelType=electric, dates', ask: page([electric, first(...DECADES)]) },
  { name: 'make=ford, island dates', ask: page([ford, here(...DECADES)]) },
  { name: 'make=ford&color=blue, dates', ask: page([ford, blue, first(...DECADES)]) },
  { name: 'make=ford&color=blue, island dates', ask: page([ford, blue, here(...DECADES)]) },
  { name: 'model=fiesta, dates', ask: page([fiesta, first(...DECADES)]) },
  { name: 'model=fiesta&color=blue, island dates', ask: page([fiesta, blue, here(...DECADES)]) },
  { name: 'one old year', ask: page([first(...YEAR)]) },
  { name: 'decades', ask: page([first(...DECADES)]) },
  { name: 'one old year on the island, page 40', ask: page([here(...YEAR)], 40 * PAGE) },
  { name: 'q=ford fiesta', ask: page([{ words: 'ford fiesta', fields: ['make', 'model'] }]) },
  { name: 'capacity 1,000 to 1,400', ask: page([{ field: 'cylinderCapacity', from: 1000, to: 1400 }]) },
  { name: 'years', ask: counts({ field: 'firstRegisteredAt', part: 'year' }, []) },
  { name: 'makes', targetMs: 10, ask: counts('make', []) },
  { name: 'colors', targetMs: 10, ask: counts('color', []) },
  { name: 'makes, dates', targetMs: 300, ask: counts('make', [first(...DECADES)]) },
  { name: 'colors, dates', targetMs: 300, ask: counts('color', [first(...DECADES)]) },
  { name: 'makes, island dates', targetMs: 300, ask: counts('make', [here(...DECADES)]) },
  { name: 'colors, island dates', targetMs: 300, ask: counts('color', [here(...DECADES)]) },
]
