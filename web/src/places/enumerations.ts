import type { GetJson } from '../../../src/interfaces/web/explorer.ts'

/** A value that a parameter takes, and what people call it. */
export interface Choice {
  readonly value: string
  readonly label: string
}

interface Enumerations {
  readonly results: readonly {
    readonly dataset: string
    readonly field: string
    readonly values: readonly { readonly value: string; readonly meaning: string | null }[]
  }[]
}

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

/** The choices without those that mean the same as one before. */
export const distinct = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ label }, index) => choices.findIndex(each => each.label === label) === index)

/** What values mean, each meaning once, in words for people. */
export const meaningsOf = (choices: readonly Choice[], values: readonly string[]): readonly string[] => [
  ...new Set(values.map(value => choices.find(each => each.value === value)?.label ?? spelt(value))),
]

/** A meaning explains itself after a colon, which only readers of the documentation need. */
const labelOf = (value: string, meaning: string | null) => meaning?.split(':', 1)[0] ?? spelt(value)

/** A value that the publisher has added means what it says. */
const spelt = (value: string) => {
  const words = value.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
