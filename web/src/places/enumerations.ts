import type { operations } from '../../../client/src/schema.ts'
import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import { meaningOf } from '../texts/meaning.ts'

/** A value of a parameter with its name for people. */
export interface Choice {
  readonly value: string
  readonly label: string
}

type Enumerations = operations['listEnumerations']['responses'][200]['content']['application/json']

/** The meanings of the values of every dataset's fields. */
export type Meanings = Awaited<ReturnType<typeof loadMeanings>>

/** Gets what the values of all enumerations mean. */
export async function loadMeanings(get: GetJson) {
  const { results } = await get<Enumerations>('/v1/enumerations')
  return (dataset: string, field: string): readonly Choice[] =>
    (results.find(each => each.dataset === dataset && each.field === field)?.values ?? []).map(
      ({ value, meaning }) => ({ value, label: labelOf(value, meaning) }),
    )
}

/** The choices, each meaning once. */
export const distinct = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ label }, index) => choices.findIndex(each => each.label === label) === index)

/** The meanings of values in words for people, each meaning once. */
export const meaningsOf = (choices: readonly Choice[], values: readonly string[]): readonly string[] => [
  ...new Set(values.map(value => choices.find(each => each.value === value)?.label ?? spelt(value))),
]

/** The explanation after a colon is for readers of the documentation. */
const labelOf = (value: string, meaning: string | null) =>
  meaningOf(meaning?.split(':', 1)[0] ?? spelt(value))

/** The words of a value without a meaning, such as a value that the publisher has added. */
export const spelt = (value: string) => {
  const words = value.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
