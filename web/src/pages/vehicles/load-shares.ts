import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { askedFor, changed, countedOf, type Question, queryOf, TEXTS } from './question.ts'

/** One bar: a value and its vehicles. */
export interface Bar {
  readonly label: string
  readonly count: number
  /** The changes that narrow the question to this bar; undefined if the API has no such filter. */
  readonly changes?: Readonly<Record<string, string>>
}

/** The counts of one field. */
export interface Share {
  readonly field: ShareField
  readonly bars: readonly Bar[]
  /** The vehicles of all bars and of the rest. */
  readonly total: number
  /** True if the filter of the field is a part of its values. No bar is chosen then. */
  readonly isPart: boolean
  /** The groups and vehicles without a bar. */
  readonly rest: { readonly groups: number; readonly count: number }
}

export type ShareField = 'make' | 'model' | 'color' | 'fuelType'

interface Stats extends Pick<Share, 'total' | 'rest'> {
  readonly results: readonly (Readonly<Record<string, string | null>> & { readonly count: number })[]
}

/** Enough bars to see the common values. A sum stands for the others. There are few fuels. */
const MOST_BARS = 8
const MOST_FUELS = 15

type Text = (typeof TEXTS)[number]

/** All values of some texts. */
export type KnownValues = Readonly<Partial<Record<Text, readonly string[]>>>

/**
 * Counts the matching vehicles by fuel, by make, or by model after the choice of a whole make, and by colour. A field with a whole
 * value as its filter is counted without the filter, so that its other bars stay.
 */
export function loadShares(get: GetJson, asked: Question, known: KnownValues): Promise<readonly Share[]> {
  const filters = countedOf(asked)
  const share = async (field: ShareField): Promise<Share> => {
    const isPart = field !== 'fuelType' && !isWhole(asked, field, known)
    const others = isPart ? filters : changed(filters, { [field]: null })
    const most = field === 'fuelType' ? MOST_FUELS : MOST_BARS
    const query = queryOf([...others, ['by', field], ['top', String(most)]])
    const { results, total, rest } = await get<Stats>(`/v1/vehicles/stats${query}`)
    const exactly = field === 'fuelType' ? {} : exactlyIf(asked, field, known)
    const bars = results.map(({ [field]: value, count }) => {
      const label = String(value ?? '')
      return label === '' ? { label, count } : { label, count, changes: { [field]: label, ...exactly } }
    })
    return { field, bars, total, isPart, rest }
  }
  const first = askedFor(asked, 'make') !== '' && isWhole(asked, 'make', known) ? 'model' : 'make'
  return Promise.all([share('fuelType'), share(first), share('color')])
}

/**
 * Whether the filter of a text is a whole value, or absent. A value that is part of no other value is whole. Not all models are
 * known, so this holds for no model.
 */
function isWhole(asked: Question, text: Text, known: KnownValues): boolean {
  const value = askedFor(asked, text).toLowerCase()
  if (value === '' || askedFor(asked, 'match') === 'exact') return true
  const matching = (known[text] ?? []).map(each => each.toLowerCase()).filter(each => each.includes(value))
  return matching.length === 1 && matching[0] === value
}

/** A bar counts whole values, so it asks for exact matches, unless another text has a partial filter. */
const exactlyIf = (asked: Question, field: Text, known: KnownValues): Record<string, string> =>
  TEXTS.every(text => text === field || isWhole(asked, text, known)) ? { match: 'exact' } : {}
