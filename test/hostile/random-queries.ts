import fc from 'fast-check'
import type { ModelVehicle } from './register-model.ts'

/* Registers and questions at random: mostly of the kind that means something, often nearly right, sometimes noise. */

const WORDS = [
  ...[
    'Ford',
    'FORD',
    'Citroën',
    'Škoda',
    '208',
    '-1',
    '7',
    '__proto__',
    'constructor',
    'B.M.W.',
    '100%',
    'a_b',
  ],
  ...[
    'a\\b',
    "O'Neil",
    '"Q"',
    'Straße',
    'ΣΑΣ',
    'İzmir',
    '名',
    '😀 car',
    '[x]',
    'a,b',
    'a+b',
    'a&b=c',
    'Ågren',
  ],
]
const FUELS = ['PETROL', 'HEAVY_OIL', 'ELECTRIC', 'UNKNOWN', 'HYDROGEN']
const DAYS = ['1948-09-13', '1999-12-31', '2000-02-29', '2023-02-28', '2024-01-01', '2024-02-29']

const day = fc.option(fc.constantFrom(...DAYS.map(date => `${date}T00:00:00.000Z`)))
const count = fc.option(fc.constantFrom(0, 1, 999, 1598.5, 100_000))

const vehicle: fc.Arbitrary<ModelVehicle> = fc.record({
  make: fc.constantFrom(...WORDS),
  model: fc.constantFrom('', ...WORDS),
  color: fc.constantFrom('Not Specified', 'Blue', 'Grey', 'Gréy', 'Two Tone'),
  cylinderCapacity: count,
  weight: count,
  co2Emissions: count,
  fuelType: fc.constantFrom(...FUELS),
  firstRegisteredAt: day,
  firstRegisteredInJerseyAt: day,
})

/** A register of many vehicles that share days, names and parts of names; the same for the same seed. */
export function randomRegister(seed: number): ModelVehicle[] {
  return fc.sample(vehicle, { seed, numRuns: 200 })
}

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    'null',
    'true',
    '__proto__',
    '\0',
    '\r\n',
    "' OR 1=1 --",
    '٣',
    '%',
  ),
)
/** Half of a surrogate pair cannot be written in an address. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const partOfWord = fc
  .tuple(fc.constantFrom(...WORDS, 'Not Specified', 'Grey'), fc.nat(3), fc.nat(8), fc.nat(2))
  .map(([word, start, length, letterCase]) => {
    const part = word.slice(start, start + length)
    return [part, part.toUpperCase(), part.toLowerCase()][letterCase] ?? part
  })

const pad = (number: number, length = 2) => String(number).padStart(length, '0')
const date = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...DAYS) },
  fc
    .tuple(
      fc.constantFrom(0, 1948, 1999, 2000, 2023, 2024, 9999),
      fc.nat(13),
      fc.nat(32),
      fc.constantFrom('-', '/'),
    )
    .map(([year, month, dayOfMonth, mark]) => [pad(year, 4), pad(month), pad(dayOfMonth)].join(mark)),
  fc
    .tuple(
      fc.constantFrom(...DAYS, '9999-12-31', '0000-01-01', '2023-02-30'),
      fc.constantFrom(
        'T00:00:00Z',
        'T23:59:59.999Z',
        'T24:00:00Z',
        'T25:00Z',
        'T00:30+01:00',
        'T23:30:00-01:00',
        'T1',
      ),
    )
    .map(([date, time]) => `${date}${time}`),
)

const values: Record<string, fc.Arbitrary<string>> = {
  page: fc.oneof(
    fc.nat(9).map(String),
    fc.constantFrom('01', '1000000000', '1000000001', '1.0', ' 1', '9'.repeat(400)),
  ),
  limit: fc.oneof(fc.nat(40).map(String), fc.constantFrom('1000', '1001', '007', '-0')),
  startDate: date,
  endDate: date,
  dateType: fc.constantFrom('regInJersey', 'regInJersey', 'REGINJERSEY', 'firstEver', ''),
  make: partOfWord,
  model: partOfWord,
  color: partOfWord,
  fuelType: fc.constantFrom(...FUELS, 'petrol', 'Heavy_Oil', 'STEAM', 'PETRL'),
  match: fc.constantFrom('exact', 'contains', 'EXACT'),
  includeCarparkInfo: fc.constantFrom('true', 'false', 'TRUE'),
}

const named = fc.oneof(
  ...Object.entries(values).map(([name, value]) =>
    fc.oneof({ weight: 9, arbitrary: value }, noise).map(text => `${name}=${encoded(text)}`),
  ),
)
const piece = fc.oneof(
  { weight: 24, arbitrary: named },
  fc.tuple(noise, noise).map(pair => pair.map(encoded).join('=')),
  fc.constantFrom(
    '',
    '=',
    '%',
    '%zz=1',
    'make=%',
    'make=%ff',
    'make',
    'make[]=a',
    'MAKE=a',
    'make=+',
    '%6Dake=a',
  ),
)

/** A query string, most of them without a parameter twice. */
export const queryString: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.uniqueArray(piece, { maxLength: 4, selector: text => text.split('=')[0] }) },
    fc.array(piece, { maxLength: 6 }),
  )
  .map(pieces => pieces.join('&'))

/** The name of a car park in a path: one that is there in some case, or another. */
export const carparkName = (known: readonly string[]): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.tuple(fc.constantFrom(...known), fc.boolean()).map(([name, up]) => (up ? name.toUpperCase() : name)),
      noise,
    )
    .map(encoded)
    .filter(name => !['', '.', '..', 'live-spaces'].includes(name))
