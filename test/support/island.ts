import { DATASETS } from '../../src/datasets/index.ts'
import { type FieldSchema, hasType } from '../../src/releases/import/importable.ts'
import type { Observation } from '../../src/store/store.ts'

/*
 * A very small island with records of every kind, fields in the order in which they are served, so that tests can
 * compare whole texts. Its names are chosen to be awkward.
 */

/** The register: blanks, accents, a make like an integer and two named like members of every object. */
export const VEHICLES = `MAKE,MODEL,COLOUR,CYLINDER CAPACITY,WEIGHT,CO2,FUEL TYPE,FIRST REGISTERED,REG'D IN JERSEY
Ford,FIESTA,Blue,1000,,99,Petrol,01/02/2010,05/06/2020
Citroën,C4 100%,Red,1600,1200,,Heavy Oil,29/02/2016,01/03/2016
__proto__,,,,,,,,
208,GTI,Blue,1598.5,,,Petrol,01/02/2010,05/06/2020
constructor,ST,,0,,0,Electric,31/12/2023,01/01/2024
Ford,FOCUS,Blue,1600,,,Petrol,01/02/2010,05/06/2020
208,RALLYE,Red,1294,,,Petrol,03/04/1990,05/06/1991
`

export const OWNER = { id: '5a3f1f2e-0c9d-4f6a-9a53-1f7b0c2f4d11', name: 'Government of Nowhere' }

export const CARPARKS = [
  {
    id: '0b7a4ad6-51bb-4f37-8f0f-2f9d4c6f7a01',
    createdAt: '2023-01-02T03:04:05.678Z',
    name: 'Harbour Street',
    payByPhoneCode: '05921',
    owner: OWNER,
    type: 'SHORT_STAY',
    surfaceType: 'CONCRETE',
    multiStorey: true,
    latitude: 49.17793188,
    longitude: -2.10985971,
    paymentMethods: ['PAY_BY_PHONE', 'PAYCARD'],
    spaces: 606,
    disabledSpaces: 12,
    parentChildSpaces: 4,
    electricChargingSpaces: 2,
    liveTrackingCode: 'HARBST',
    notes: null,
  },
  {
    id: 'c1b0a3de-9a43-4b27-8f5e-0d6d7e8f9a02',
    createdAt: '2023-01-02T03:04:06.000Z',
    name: 'Beach',
    payByPhoneCode: null,
    owner: null,
    type: 'LONG_STAY',
    surfaceType: 'GRAVEL',
    multiStorey: false,
    latitude: null,
    longitude: null,
    paymentMethods: [],
    spaces: 20,
    disabledSpaces: 0,
    parentChildSpaces: 0,
    electricChargingSpaces: 0,
    liveTrackingCode: null,
    notes: 'Floods at "spring" tides.',
  },
]

export const TOILETS = [
  {
    id: '7a0f3a52-9c2e-4b7c-9d3c-6f0a3d2b1c03',
    createdAt: '2024-07-01T13:01:56.000Z',
    name: 'Pier',
    parish: 'St. Helier',
    latitude: 49.18,
    longitude: -2.1,
    tenure: 'FREEHOLD',
    owner: OWNER,
    buildDate: 1998,
    facilities: ['BEACH_SHOWER'],
    female: { cubicles: 3, handDryers: null, sinks: 2, periodProducts: ['TAMPONS', 'PADS'] },
    male: { cubicles: 1, urinals: 3, handDryers: 1, sinks: 2, periodProducts: [] },
  },
  {
    id: '7a0f3a52-9c2e-4b7c-9d3c-6f0a3d2b1c04',
    createdAt: '2024-07-01T13:01:57.000Z',
    name: 'Dunes',
    parish: 'St. Ouen',
    latitude: null,
    longitude: null,
    tenure: null,
    owner: { id: null, name: null },
    buildDate: null,
    facilities: [],
    female: null,
    male: null,
  },
]

export const RECYCLING = [
  {
    id: '9b2d4f7c-1e3a-4c5b-8d7e-5a4b3c2d1e05',
    createdAt: '2024-07-02T13:01:56.000Z',
    location: 'Parish Hall',
    parish: 'Grouville',
    latitude: 49.18,
    longitude: -2.04,
    notes: null,
    services: ['METAL_PACKING', 'METAL_PACKAGING', 'METAL_PACKAGING_DRINK_CANS', 'GLASS'],
  },
]

export const DEFIBRILLATORS = [
  {
    id: '2f1e0d9c-8b7a-4695-8473-625140392806',
    createdAt: '2024-07-03T13:01:56.000Z',
    location: 'Fire Station',
    parish: 'St. Helier',
    padNumber: 31,
    latitude: 49.18,
    longitude: -2.11,
    notes: 'Ladies side',
  },
  {
    id: '2f1e0d9c-8b7a-4695-8473-625140392807',
    createdAt: '2024-07-03T13:01:57.000Z',
    location: 'Café',
    parish: 'St. Mary',
    padNumber: null,
    latitude: null,
    longitude: null,
    notes: null,
  },
]

export const RECALLS = [3, 2, 1].map(id => ({
  id,
  title: `Toy ${id}`,
  imageUrl: 'https://example.org/toy.jpg',
  brand: 'Acme & Sons',
  recallDate: '2024-06-06T23:00:00.000Z',
  packSize: null,
  batchCodes: 'A1, A2',
  problem: 'Choking',
  furtherInformation: '<p>Return it.</p>',
  websiteUrl: 'https://example.org/recall',
}))

/** The records that tests know by their values, whichever datasets there are besides. */
export const KNOWN = {
  vehicles: VEHICLES,
  carparks: CARPARKS,
  toilets: TOILETS,
  recycling: RECYCLING,
  defibrillators: DEFIBRILLATORS,
  'product-recalls': RECALLS,
}

/** The example that a schema gives, else the simplest value that it allows. */
function exampleOf(schema: FieldSchema & { readonly examples?: readonly unknown[] }): unknown {
  const { examples, enum: values, properties, minimum = 1 } = schema
  if (examples !== undefined) return examples[0]
  if (values !== undefined) return values[0]
  if (hasType(schema, 'null')) return null
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))
  if (hasType(schema, 'boolean')) return true
  if (hasType(schema, 'array')) return []
  return hasType(schema, 'string') ? 'Example' : minimum
}

/** Every dataset of the small island, as `build` publishes it; a dataset without its own records has the example of its schema. */
export const ISLAND = {
  ...KNOWN,
  ...Object.fromEntries(
    DATASETS.filter(({ name }) => !Object.hasOwn(KNOWN, name)).map(({ name, record }) => [
      name,
      [exampleOf(record as FieldSchema)],
    ]),
  ),
} as typeof KNOWN

/** The names of the datasets whose records have a position. */
export const PLACES = DATASETS.filter(({ record }) => 'latitude' in record.properties).map(({ name }) => name)

/** What the feed told: one car park of the list, and one that the list has not. */
export const OBSERVATION: Observation = {
  timestamp: '2023-08-29T02:32:48.000Z',
  entries: [
    { name: 'Harbour St', code: 'HARBST', spaces: 332, status: 'good', open: true },
    { name: 'Elsewhere', code: 'ELSEWH', spaces: 0, status: 'no idea', open: false },
  ],
}
