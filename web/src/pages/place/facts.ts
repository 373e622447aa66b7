import { type Meanings, meaningsOf } from '../../places/enumerations.ts'
import { place as texts } from '../../texts/en/place.ts'
import { text } from '../../texts/text.ts'
import { PARTS } from '../../words/lists.ts'
import type { PlaceRecord } from './load.ts'

/** A fact about a place: its name, and its value in words. */
export type Fact = readonly [term: string, value: string]

/** Stands between meanings, which may have commas in them. */
const SEPARATOR = ' · '

/** The facts about a place in words. Unknown facts are left out. */
export function factsOf(dataset: string, record: PlaceRecord, meanings: Meanings): readonly Fact[] {
  const of = (field: string, values: readonly string[] = []) =>
    meaningsOf(meanings(dataset, field), values).join(SEPARATOR)
  const known: Record<string, string | null | undefined> = {
    ...(dataset === 'toilets' && toiletFacts(record, of)),
    ...(dataset === 'recycling' && { [texts.facts.takes]: of('services', record.services) }),
    ...(dataset === 'defibrillators' && {
      [texts.facts.number]: record.padNumber === null ? null : String(record.padNumber),
    }),
    ...(dataset === 'carparks' && carParkFacts(record, of)),
    [texts.facts.parish]: record.parish,
  }
  return Object.entries(known).filter((fact): fact is [string, string] => Boolean(fact[1]))
}

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

function carParkFacts(record: PlaceRecord, of: Words) {
  const { type = 'UNKNOWN', surfaceType, multiStorey, spaces } = record
  const count = (value: number | undefined) => (value ? String(value) : null)
  return {
    [texts.facts.stay]: type === 'UNKNOWN' ? null : of('type', [type]),
    [texts.facts.building]: multiStorey ? texts.multiStorey : null,
    [texts.facts.surface]: surfaceType ? of('surfaceType', [surfaceType]) : null,
    [texts.facts.spaces]: count(spaces),
    [texts.facts.disabled]: count(record.disabledSpaces),
    [texts.facts.parentChild]: count(record.parentChildSpaces),
    [texts.facts.charging]: count(record.electricChargingSpaces),
    [texts.facts.payments]: of('paymentMethods', record.paymentMethods),
    [texts.facts.phoneCode]: record.payByPhoneCode,
    [texts.facts.owner]: record.owner?.name,
  }
}
