import { to } from '../../address.ts'

/** The parameters of this page, in the order of its addresses. All but `with` are the API's. */
export const PARAMETERS = [
  ...['q', 'make', 'model', 'color', 'fuelType', 'match', 'startDate', 'endDate', 'dateType'],
  ...['minCylinderCapacity', 'maxCylinderCapacity', 'minWeight', 'maxWeight'],
  ...['minCo2Emissions', 'maxCo2Emissions', 'hash', 'sort', 'limit', 'page'],
  // The question that the chart compares with, as a query. The API does not get it.
  'with',
]

/** The parameters that do not choose vehicles, but how the page shows them. */
const SHOWING = ['match', 'dateType', 'sort', 'limit', 'page', 'with']

/** More rows than this are for programs. */
const MOST_ROWS = 100

/** A question to the register, in the parameters of this page. */
export type Question = readonly (readonly [name: string, value: string])[]

/** The question of an address, without blank fields. Other parameters are listed as ignored. */
export function readQuestion(query: URLSearchParams): { asked: Question; ignored: string[] } {
  const asked = PARAMETERS.flatMap(name =>
    query.getAll(name).flatMap((value, index): [string, string][] => {
      const given = value.trim()
      return given === '' || (name === 'with' && index > 0)
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

/** The filters of a question, how texts match them, and the date to count by. */
export const countedOf = (question: Question): Question =>
  question.filter(([name]) => !SHOWING.includes(name) || name === 'match' || name === 'dateType')

/** The question compared with itself, until the reader changes it. A blank field would be left out of an address. */
export const comparing = (question: Question): Question =>
  changed(question, { with: queryOf(countedOf(question)).slice(1) || '?' })

/** The calendar year in which the dates of a question lie; undefined if they lie in several. */
export function yearOf(question: Question): string | undefined {
  const [from, until] = ['startDate', 'endDate'].map(
    name => /^(\d{4})-\d\d-\d\d$/.exec(askedFor(question, name))?.[1],
  )
  return from === until ? from : undefined
}

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

/** The query of the page, with its question mark. */
export function pageQuery(question: Question): string {
  const text = new URLSearchParams(question.map(([name, value]) => [name, value])).toString()
  return text === '' ? '' : `?${text}`
}

/** The query of a question to the API, with its question mark. */
export const queryOf = (question: Question): string => pageQuery(question.filter(([name]) => name !== 'with'))

/** The address of the page that answers a question. */
export const linkTo = (question: Question): string => to(`/vehicles${pageQuery(question)}`)

/** The address of the counts of a question. The form stands above them, and on a phone it fills the window. */
export const linkToCounts = (question: Question): string => `${linkTo(question)}#total`
