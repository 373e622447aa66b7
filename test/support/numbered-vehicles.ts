import assert from 'node:assert/strict'
import { DEMO_SEED } from '../../demo/island-facts.ts'
import { vehiclesCsv } from '../../demo/vehicles/vehicles.ts'
import { fold } from '../../src/values/text.ts'
import type { Answer } from './serving.ts'

/*
 * Releases of a whole island's register that tell their number in every make and colour. Release N has N vehicles fewer than
 * the island, so that totals tell it as well, and what each answer must say can be counted here.
 */

interface Vehicle {
  readonly make: string
  readonly model: string
  readonly colour: string
  /** First registration, YYYY-MM-DD. */
  readonly day: string
  /** The line of the source around make and colour. */
  readonly between: string
  readonly after: string
}

/** What an address asks for: the vehicles that count, and by what they are counted, if they are. */
interface Question {
  readonly path: string
  readonly matches: (vehicle: Vehicle) => boolean
  /** How many there are on a page; absent where words are counted. */
  readonly limit?: number
  readonly countBy?: 'make' | 'colour'
}

const pageOf = (limit: number): Question => ({
  path: `/v1/vehicles?limit=${limit}`,
  matches: () => true,
  limit,
})

const isFord = ({ make }: Vehicle) => fold(make).includes('ford')
const isBlueFiesta = ({ model, colour }: Vehicle) =>
  fold(model).includes('fiesta') && fold(colour).includes('blue')
const isOfThreeYears = ({ day }: Vehicle) => day >= '2015-01-01' && day <= '2017-12-31'
const THREE_YEARS = 'startDate=2015-01-01&endDate=2017-12-31'

const QUESTIONS: readonly Question[] = [
  pageOf(20),
  { path: '/v1/vehicles?make=ford&limit=20', matches: isFord, limit: 20 },
  { path: '/v1/vehicles?model=fiesta&color=blue&limit=20', matches: isBlueFiesta, limit: 20 },
  { path: `/v1/vehicles?${THREE_YEARS}&limit=20&page=50`, matches: isOfThreeYears, limit: 20 },
  { path: '/v1/vehicles/makes', matches: () => true, countBy: 'make' },
  { path: `/v1/vehicles/stats/colors?${THREE_YEARS}`, matches: isOfThreeYears, countBy: 'colour' },
]

/** A register in numbered releases, and what is known of them. */
export interface NumberedRegister {
  /** The addresses that {@link releaseIn} can judge. */
  readonly paths: readonly string[]
  /** Vehicles of a release. */
  rows(number: number): number
  /** The source of a release. */
  csv(number: number): string
  /** The number of the one release that a body is made of, wholly. Fails for any other body. */
  releaseIn(path: string, answer: Pick<Answer, 'text'>): number
}

/** Makes the register of the synthetic island, or of its first vehicles, with pages of so many more lengths. */
export function numberedRegister(size?: number, pageLengths: readonly number[] = []): NumberedRegister {
  const [header = '', ...lines] = [...vehiclesCsv(DEMO_SEED)].join('').trimEnd().split('\n')
  const vehicles = lines.slice(0, size).map(readVehicle)
  const questions = [...QUESTIONS, ...pageLengths.map(pageOf)]
  const counted = new Map(questions.map(question => [question.path, countOf(question, vehicles)]))

  function expected(question: Question, number: number): ReadonlyMap<string, number> {
    const counts = new Map(counted.get(question.path))
    for (const [word, count] of countOf(question, vehicles.slice(0, number)))
      counts.set(word, (counts.get(word) ?? 0) - count)
    return new Map([...counts].filter(([, count]) => count > 0))
  }

  return {
    paths: questions.map(({ path }) => path),
    rows: number => vehicles.length - number,
    csv(number) {
      const numbered = vehicles.slice(number).map(({ make, between, colour, after }) => {
        return `${marked(make, number)}${between}${marked(colour, number)}${after}`
      })
      return `${[header, ...numbered].join('\n')}\n`
    },
    releaseIn(path, { text }) {
      const question = questions.find(one => one.path === path) ?? assert.fail(`${path} is not known`)
      const { results, pagination } = JSON.parse(text)
      if (question.limit === undefined) {
        const words = Object.keys(results)
        const number = numberOf(words, path)
        const counts = [...expected(question, number)].map(([word, count]) => [marked(word, number), count])
        assert.deepEqual(sorted(Object.entries(results)), sorted(counts), `${path} of release ${number}`)
        return number
      }
      assert.equal(results.length, question.limit, `${path} is not a whole page`)
      const words = (results as Record<string, string>[]).flatMap(({ make = '', color = '' }) => [
        make,
        color,
      ])
      const number = numberOf(words, path)
      assert.equal(pagination.totalItems, expected(question, number).get(''), `${path} of release ${number}`)
      return number
    },
  }
}

/** How many vehicles match, by word; under the empty word where they are not counted by any. */
function countOf({ matches, countBy }: Question, vehicles: readonly Vehicle[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const vehicle of vehicles.filter(matches)) {
    const word = countBy === undefined ? '' : vehicle[countBy]
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** The number that all of the words end with. */
function numberOf(words: readonly string[], path: string): number {
  const numbers = new Set(words.map(word => Number(/(?:^| )R(\d+)$/.exec(word)?.[1])))
  const [number = Number.NaN] = numbers
  assert.ok(numbers.size === 1 && number > 0, `${path} is made of releases ${[...numbers]}`)
  return number
}

const marked = (word: string, number: number) => `${word} R${number}`.trim()

const sorted = (entries: readonly unknown[]) => entries.map(entry => JSON.stringify(entry)).sort()

/** Reads a line of the source; the model alone may be in quotes, and may hold commas. */
function readVehicle(line: string): Vehicle {
  const [, make = '', model = '', colour = '', rest = '', first = ''] =
    /^([^,]*),("(?:[^"]|"")*"|[^,]*),([^,]*),((?:[^,]*,){4}([^,]*),[^,]*)$/.exec(line) ??
    assert.fail(`"${line}" is no vehicle`)
  return {
    ...{ make, colour, model: model.replace(/^"|"$/g, '').replaceAll('""', '"') },
    day: first.split('/').reverse().join('-'),
    between: `,${model},`,
    after: `,${rest}`,
  }
}
