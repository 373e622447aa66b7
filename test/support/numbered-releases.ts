import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { ISLAND, TOILETS } from './island.ts'
import type { Answer } from './serving.ts'

/*
 * Releases that tell their number in every record and in how many records they have, so that an answer mixed from two
 * of them, or cut short, shows.
 */

const size = (number: number) => 40 + number

/** Toilets of the release of this number. */
export const toiletsOf = (number: number): object[] =>
  Array.from({ length: size(number) }, (_, index) => {
    const id = `7a0f3a52-9c2e-4b7c-9d3c-${String(index).padStart(12, '0')}`
    return { ...TOILETS[0], id, name: `release ${number}` }
  })

/** Of which each page has a part. */
const RECALLS = 900

/** Recalls of the release of this number, a kilobyte each. */
export const recallsOf = (number: number): object[] =>
  Array.from({ length: RECALLS + number }, (_, index) => ({
    ...ISLAND['product-recalls'][0],
    ...{ id: index + 1, title: `release ${number}`, problem: `${hash('sha512', String(index))} `.repeat(6) },
  }))

/** The number of the release that a page of recalls is made of. */
export function releaseOfRecalls({ text }: Pick<Answer, 'text'>): number {
  const { results, pagination }: Body = JSON.parse(text)
  const [number = 0, ...others] = new Set(results.map(({ title }) => numberIn(title)))
  assert.deepEqual(others, [], 'recalls of several releases')
  assert.equal(pagination?.totalItems, RECALLS + number, 'the total is not that of the release')
  return number
}

/** A register of vehicles of the release of this number. */
export const vehiclesOf = (number: number): string =>
  `MAKE,MODEL,FUEL TYPE\n${Array.from({ length: size(number) }, (_, index) => `release ${number},M${index},Petrol\n`).join('')}`

/** What each address answers, and which releases' records are in it, a number for each record. */
const NUMBERS: Readonly<Record<string, (body: Body) => number[]>> = {
  '/v1/toilets': ({ results }) => results.map(({ name }) => numberIn(name)),
  '/v1/vehicles?limit=1000': ({ results, pagination }) => {
    assert.equal(pagination?.totalItems, results.length, 'the total is that of the results')
    return results.map(({ make }) => numberIn(make))
  },
  '/v1/vehicles/makes': ({ results }) =>
    Object.entries(results).flatMap(([make, count]) => Array(Number(count)).fill(numberIn(make))),
}

/** The addresses that {@link releaseIn} can judge. */
export const NUMBERED_PATHS: readonly string[] = Object.keys(NUMBERS)

/** The number of the one release that an answer is made of, wholly. Fails for any other answer. */
export function releaseIn(path: string, { status, text }: Answer): number {
  assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`)
  const numbers = NUMBERS[path]?.(JSON.parse(text)) ?? []
  const [number = 0] = numbers
  assert.deepEqual(new Set(numbers), new Set([number]), `${path} is made of several releases`)
  assert.equal(numbers.length, size(number), `${path} is not the whole of release ${number}`)
  return number
}

interface Body {
  readonly results: readonly Readonly<Record<string, unknown>>[]
  readonly pagination?: { readonly totalItems: number }
}

const numberIn = (text: unknown) => Number(String(text).replace('release ', ''))
