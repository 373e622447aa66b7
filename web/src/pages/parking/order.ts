import type { Row } from '../../parking/row.ts'
import { language } from '../../texts/en/language.ts'

/** The order of the list. */
export type Order = 'free' | 'chance' | 'name' | 'near'

/** Chances are in hundredths, so the expected spaces decide only between equal chances. */
const MANY = 1_000_000

/** Sorts rows. Rows without a count or a distance come last, by name. */
export function sortRows(
  rows: readonly Row[],
  order: Order,
  distanceOf: (row: Row) => number | undefined,
): readonly Row[] {
  const byName = (one: Row, other: Row) => one.name.localeCompare(other.name, language.locale)
  const keyOf = {
    free: ({ count }: Row) => (count.quality === 'good' && count.spaces !== null ? -count.spaces : 1),
    chance: ({ count, expected }: Row) =>
      count.quality === 'good' && expected !== null ? -(expected.chanceOfTen * MANY + expected.expected) : 1,
    near: (row: Row) => distanceOf(row) ?? Number.POSITIVE_INFINITY,
    name: () => 0,
  }[order]
  return [...rows].sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)]
    return a === b ? byName(one, other) : a - b
  })
}
