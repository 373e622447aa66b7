import { to } from '../../address.ts'

/** The parameters of the API on this page, in the order of its addresses. */
export const PARAMETERS = [
  ...['q', 'make', 'model', 'color', 'fuelType', 'match', 'startDate', 'endDate', 'dateType'],
  ...['minCylinderCapacity', 'maxCylinderCapacity', 'minWeight', 'maxWeight'],
  ...['minCo2Emissions', 'maxCo2Emissions', 'hash', 'sort', 'limit', 'page'],
]

/** The parameters that do not choose vehicles, but how the page shows them. */
const SHOWING = ['match', 'dateType', 'sort', 'limit', 'page']

/** More rows than this are for programs. */
const MOST_ROWS = 100

/** A question to the register, in the API's parameters. */
export type Question = readonly (readonly [name: string, value: string])[]

/** The question of an address, without blank fields. Other parameters are listed as ignored. */
export function readQuestion(query: URLSearchParams): { asked: Question; ignored: string[] } {
  const asked = PARAMETERS.flatMap(name =>
    query.getAll(name).flatMap((value): [string, string][] => {
      const given = value.trim()
      return given === ''
        ? []
        : [[name, name === 'limit' && Number(given) > MOST_ROWS ? String(MOST_ROWS) : given]]
    }),
  )
  return { asked, ignored: [...new Set(query.keys())].filter(name => !PARAMETERS.includes(name)) }
}

/** The value of a parameter in a question, or an empty text. */
export const askedFor = (question: Question, name: string): string =>
  question.find(([asked]) => asked === name)?.[1] ?? ''

/** The filters of a question. */
export const filtersOf = (question: Question): Question =>
  question.filter(([name]) => !SHOWING.includes(name))

/** The texts that `match` applies to. */
export const TEXTS = ['make', 'model', 'color'] as const

/**
 * A question with other values of some parameters. Null removes a parameter. The changed question starts at its first page. Without
 * texts it has no `match` either, which would surprise whoever writes a new text.
 */
export function changed(question: Question, changes: Readonly<Record<string, string | null>>): Question {
  const values = new Map([...question, ...Object.entries({ page: null, ...changes })])
  if (TEXTS.every(name => typeof values.get(name) !== 'string')) values.delete('match')
  return PARAMETERS.flatMap((name): [string, string][] => {
    const value = values.get(name)
    return typeof value === 'string' ? [[name, value]] : []
  })
}

/** The query of a question, with its question mark. */
export function queryOf(question: Question): string {
  const text = new URLSearchParams(question.map(([name, value]) => [name, value])).toString()
  return text === '' ? '' : `?${text}`
}

/** The address of the page that answers a question. */
export const linkTo = (question: Question): string => to(`/vehicles${queryOf(question)}`)
