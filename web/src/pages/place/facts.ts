import { buildingOf, paymentOf, specialSpaces, stayOf } from '../../parking/car-park-words.ts'
import type { CarPark } from '../../parking/records.ts'
import { type Meanings, meaningsOf } from '../../places/enumerations.ts'
import { carpark } from '../../texts/en/carpark.ts'
import { place as texts } from '../../texts/en/place.ts'
import { text } from '../../texts/text.ts'
import { PARTS } from '../../words/lists.ts'
import type { PlaceRecord } from './load.ts'

/** A fact about a place: its name, and its value in words. */
export type Fact = readonly [term: string, value: string]

/** Stands between meanings, which may have commas in them. */
const SEPARATOR = ' · '

/** The facts about a place in words, except for car parks. Unknown facts are left out. */
export function factsOf(dataset: string, record: PlaceRecord, meanings: Meanings): readonly Fact[] {
  const of = (field: string, values: readonly string[] = []) =>
    meaningsOf(meanings(dataset, field), values).join(SEPARATOR)
  const known: Record<string, string | null | undefined> = {
    ...(dataset === 'toilets' && toiletFacts(record, of)),
    ...(dataset === 'recycling' && { [texts.facts.takes]: of('services', record.services) }),
    ...(dataset === 'defibrillators' && {
      [texts.facts.number]: record.padNumber === null ? null : String(record.padNumber),
    }),
    [texts.facts.parish]: record.parish,
  }
  return knownFacts(known)
}

const knownFacts = (facts: Readonly<Record<string, string | null | undefined>>): readonly Fact[] =>
  Object.entries(facts).filter((fact): fact is [string, string] => Boolean(fact[1]))

type Words = (field: string, values?: readonly string[]) => string

function toiletFacts({ facilities, female, male, owner, buildDate, tenure }: PlaceRecord, of: Words) {
  return {
    [texts.facts.facilities]: of('facilities', facilities),
    [texts.facts.women]: female ? sideText(female, of('female.periodProducts', female.periodProducts)) : null,
    [texts.facts.men]: male ? sideText(male, of('male.periodProducts', male.periodProducts)) : null,
    [texts.facts.owner]: owner?.name,
    [texts.facts.tenure]: typeof tenure === 'string' ? of('tenure', [tenure]) : null,
    [texts.facts.built]: typeof buildDate === 'number' ? String(buildDate) : null,
  }
}

interface Side {
  readonly cubicles: number | null
  readonly urinals?: number | null
  readonly sinks: number | null
  readonly handDryers: number | null
}

/** One side of a toilet, such as "3 cubicles, 2 sinks and period products (tampons, pads)". */
function sideText({ cubicles, urinals, sinks, handDryers }: Side, products: string): string {
  const parts = [
    [texts.cubicles, cubicles] as const,
    [texts.urinals, urinals] as const,
    [texts.sinks, sinks] as const,
    [texts.handDryers, handDryers] as const,
  ].flatMap(([message, count]) => (typeof count === 'number' && count > 0 ? [text(message, { count })] : []))
  const free =
    products === ''
      ? []
      : [text(texts.periodProducts, { products: products.toLowerCase().replaceAll(SEPARATOR, ', ') })]
  const side = PARTS.format([...parts, ...free])
  return side.charAt(0).toUpperCase() + side.slice(1)
}

/** The facts about a car park in words: its spaces, ways to pay and building. */
export function carParkFacts(carPark: CarPark): readonly Fact[] {
  const { spaces: count, owner } = carPark
  const special = specialSpaces(carPark).join(', ')
  return knownFacts({
    [carpark.facts.spaces]:
      special === '' ? text(carpark.spaces, { count }) : text(carpark.spacesWithSpecial, { count, special }),
    [carpark.facts.stay]: stayOf(carPark),
    [carpark.facts.payBy]: paymentOf(carPark),
    [carpark.facts.building]: buildingOf(carPark),
    [texts.facts.owner]: owner?.name,
  })
}
