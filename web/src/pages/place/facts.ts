import { type Meanings, meaningsOf } from '../../places/enumerations.ts'
import { counted } from '../../words/numbers.ts'
import type { PlaceRecord } from './load.ts'

/** Something that is known of a place: what, and its value in words. */
export type Fact = readonly [term: string, text: string]

/** Meanings may have commas in them. */
const SEPARATOR = ' · '

/** What a place offers, in words; what is not known of it is left out. */
export function factsOf(dataset: string, record: PlaceRecord, meanings: Meanings): readonly Fact[] {
  const of = (field: string, values: readonly string[] = []) =>
    meaningsOf(meanings(dataset, field), values).join(SEPARATOR)
  const facts: Record<string, string | null | undefined> = {
    ...(dataset === 'toilets' && toiletFacts(record, of)),
    ...(dataset === 'recycling' && { Takes: of('services', record.services) }),
    ...(dataset === 'defibrillators' && {
      'Pad number': record.padNumber === null ? null : String(record.padNumber),
    }),
    ...(dataset === 'carparks' && carParkFacts(record, of)),
    Parish: record.parish,
  }
  return Object.entries(facts).filter((fact): fact is [string, string] => Boolean(fact[1]))
}

type Words = (field: string, values?: readonly string[]) => string

function toiletFacts({ facilities, female, male, owner, buildDate, tenure }: PlaceRecord, of: Words) {
  return {
    Facilities: of('facilities', facilities),
    Women: female ? sideText(female, of('female.periodProducts', female.periodProducts)) : null,
    Men: male ? sideText(male, of('male.periodProducts', male.periodProducts)) : null,
    Owner: owner?.name,
    Tenure: typeof tenure === 'string' ? of('tenure', [tenure]) : null,
    Built: typeof buildDate === 'number' ? String(buildDate) : null,
  }
}

interface Side {
  readonly cubicles: number | null
  readonly urinals?: number | null
  readonly sinks: number | null
  readonly handDryers: number | null
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** One side of a toilet, such as "3 cubicles, 2 sinks and period products (tampons, pads)". */
function sideText({ cubicles, urinals, sinks, handDryers }: Side, products: string): string {
  const parts = [
    ['cubicle', cubicles] as const,
    ['urinal', urinals] as const,
    ['sink', sinks] as const,
    ['hand dryer', handDryers] as const,
  ].flatMap(([noun, count]) => (typeof count === 'number' && count > 0 ? [counted(count, noun)] : []))
  const free =
    products === '' ? [] : [`period products (${products.toLowerCase().replaceAll(SEPARATOR, ', ')})`]
  const text = LIST.format([...parts, ...free])
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function carParkFacts(record: PlaceRecord, of: Words) {
  const { type = 'UNKNOWN', surfaceType, multiStorey, spaces } = record
  const count = (value: number | undefined) => (value ? String(value) : null)
  return {
    Stay: type === 'UNKNOWN' ? null : of('type', [type]),
    Building: multiStorey ? 'Multi-storey' : null,
    Surface: surfaceType ? of('surfaceType', [surfaceType]) : null,
    Spaces: count(spaces),
    'Spaces for disabled people': count(record.disabledSpaces),
    'Spaces for parents with children': count(record.parentChildSpaces),
    'Spaces with electric charging': count(record.electricChargingSpaces),
    'Ways to pay': of('paymentMethods', record.paymentMethods),
    'Pay by phone code': record.payByPhoneCode,
    Owner: record.owner?.name,
  }
}
