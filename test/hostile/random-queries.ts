import fc from 'fast-check'
import { ANCHORS, NOW } from './live-past.ts'
import type { ModelVehicle } from './vehicles-model.ts'

/* Random vehicles and queries: mostly valid, often nearly right, sometimes noise. */

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
  ...['B.M.W.', 'bmw', 'Mercedes-Benz', 'MERCEDES BENZ', '1.2 T.D.I.', '12', '...', '--'],
  ...['Land Rover', 'LAND  ROVER', 'land-rover'],
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

/** Many vehicles that share dates, names and parts of names; the same for the same seed. */
export function randomVehicles(seed: number, count = 200): ModelVehicle[] {
  return fc.sample(vehicle, { seed, numRuns: count })
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
  .tuple(fc.constantFrom(...WORDS, 'Not Specified', 'Grey'), fc.nat(3), fc.nat(8), fc.nat(3))
  .map(([word, start, length, letterCase]) => {
    const part = word.slice(start, start + length)
    const widened = part.replace(/[ -]/g, '\u00a0 ').concat('\u200b')
    return [part, part.toUpperCase(), part.toLowerCase(), widened][letterCase] ?? part
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

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const iso = (at: number) => new Date(at).toISOString()

/** A time near one at which something was counted. */
const near = fc
  .tuple(
    fc.constantFrom(...ANCHORS, NOW),
    fc.constantFrom(0, 0, 1, -1, 7 * MINUTE, 60 * MINUTE, DAY, -DAY),
    fc.integer({ min: -3, max: 40 }),
  )
  .map(([anchor, offset, quarters]) => anchor + offset + quarters * 15 * MINUTE)

const written = (at: number): fc.Arbitrary<string> =>
  fc.constantFrom(
    iso(at).slice(0, 10),
    iso(at),
    iso(at).toLowerCase(),
    iso(at + 60 * MINUTE).replace('Z', '+01:00'),
    iso(at - 330 * MINUTE).replace('Z', '-0530'),
    iso(at).replace('Z', ''),
  )

const LENGTHS = [1, 15 * MINUTE, 60 * MINUTE, 3 * 60 * MINUTE, DAY, 2 * DAY]
/** Some of these are the longest period of an interval, and two hours more are let pass. */
const LONGEST_DAYS = [4, 13, 31, 50, 100, 140, 400, 1100]

/** A start with an end to it. */
const period: fc.Arbitrary<string> = fc
  .tuple(
    near,
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...LENGTHS) },
      fc
        .tuple(fc.constantFrom(...LONGEST_DAYS), fc.constantFrom(0, 120 * MINUTE, 120 * MINUTE + 1))
        .map(([days, more]) => days * DAY + more),
    ),
  )
  .chain(([from, length]) =>
    fc.oneof(fc.constant([iso(from), iso(from + length)]), fc.tuple(written(from), written(from + length))),
  )
  .chain(([from = '', to = '']) =>
    fc
      .constantFrom(
        '',
        '&interval=raw',
        '&interval=1h',
        '&interval=1d',
        '&format=csv',
        '&interval=raw&format=csv',
      )
      .map(more => `from=${encoded(from)}&to=${encoded(to)}${more}`),
  )

const moment = fc.oneof(
  { weight: 3, arbitrary: near.chain(written) },
  date,
  fc.constantFrom('1970-01-01', '1969-12-31', '1969-12-31T23:00Z', '9999-12-31', '2023-08-29T02:33 01:00'),
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
  fuelType: fc.oneof(
    fc.constantFrom(
      ...FUELS,
      'petrol',
      'Heavy_Oil',
      'STEAM',
      'PETRL',
      'PETROL,',
      ' electric, Petrol ',
      'petrol,PETROL',
    ),
    fc.array(fc.constantFrom(...FUELS), { minLength: 2, maxLength: 4 }).map(fuels => fuels.join(',')),
  ),
  match: fc.constantFrom('exact', 'contains', 'EXACT'),
  ...Object.fromEntries(
    ['CylinderCapacity', 'Weight', 'Co2Emissions'].flatMap(name =>
      ['min', 'max'].map(end => [`${end}${name}`, fc.constantFrom('0', '1', '999.5', '1598.5', '-1', '1e3')]),
    ),
  ),
  hash: fc.constantFrom('0'.repeat(64), 'F'.repeat(64), 'f'),
  q: fc.array(partOfWord, { minLength: 1, maxLength: 3 }).map(parts => parts.join(' ')),
  brand: partOfWord,
  since: date,
  sort: fc
    .array(
      fc.constantFrom(
        'make',
        '-model',
        'weight',
        '-co2Emissions',
        '-firstRegisteredAt',
        'fuelType',
        'hash',
        'recallDate',
        '-recallDate',
      ),
      {
        maxLength: 3,
      },
    )
    .map(keys => keys.join(',')),
  by: fc
    .array(
      fc.constantFrom('make', 'color', 'fuelType', 'year', 'month', 'type', 'parish', 'services', 'brand'),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map(keys => keys.join(',')),
  measures: fc
    .array(
      fc.constantFrom(
        'share',
        'weight.mean',
        'weight.sum',
        'co2Emissions.max',
        'cylinderCapacity.min',
        'spaces.mean',
        'buildDate.mean',
        'make.mean',
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map(words => words.join(',')),
  top: fc.constantFrom('1', '2', '10', '0', '1000001'),
  includeCarparkInfo: fc.constantFrom('true', 'false', 'TRUE'),
  include: fc.constantFrom(
    'quality',
    'provenance',
    'provenance',
    'provenance,quality',
    'quality',
    'quality, forecast',
    ',quality',
    '',
    'Quality',
    'forecast',
  ),
  interval: fc.constantFrom('raw', '15m', '1h', '1d', '1H', '30m', '1w'),
  format: fc.constantFrom('json', 'csv', 'csv', 'CSV', 'jsonld', 'xml'),
  profile: fc.constantFrom('dcat-ap', 'schema.org', 'dcat'),
  from: moment,
  to: moment,
}

/** Pieces of a query that are meant for some of the parameters. */
const named = (parameters: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    ...parameters.map(name =>
      fc
        .oneof({ weight: 9, arbitrary: values[name] ?? noise }, noise)
        .map(text => `${name}=${encoded(text)}`),
    ),
    ...(parameters.includes('from') ? [{ weight: 4, arbitrary: period }] : []),
  )
const anyNamed = named(Object.keys(values))
const stray = fc.oneof(
  { weight: 4, arbitrary: anyNamed },
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

/** A query string to an endpoint with some parameters, most of them without a parameter twice. */
export function queryString(parameters: readonly string[]): fc.Arbitrary<string> {
  const own = parameters.length === 0 ? anyNamed : named(parameters)
  const piece = fc.oneof({ weight: 9, arbitrary: own }, stray)
  const once = fc.uniqueArray(piece, { maxLength: 4, selector: text => text.split('=')[0] })
  return fc
    .oneof({ weight: 4, arbitrary: once }, fc.array(piece, { maxLength: 6 }))
    .map(pieces => pieces.join('&'))
}

/** The name of a car park in a path: one that is there in some case, or another. */
export const carparkName = (known: readonly string[]): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.tuple(fc.constantFrom(...known), fc.boolean()).map(([name, up]) => (up ? name.toUpperCase() : name)),
      noise,
    )
    .map(encoded)
    .filter(name => !['', '.', '..', 'live-spaces'].includes(name))
