import { ISLAND } from '../../island/island.ts'
import { DAY_S } from '../../values/time-units.ts'
import { declareDataset } from '../dataset.ts'
import { fingerprint } from './fingerprint.ts'
import { dates, listParameters, modelParameters, selectedDate } from './parameters.ts'
import { Vehicle } from './schema.ts'

const here = ISLAND.name.toLowerCase()

/** The register of vehicles (spec 4.2 to 4.4). */
export const vehicles = declareDataset({
  name: 'vehicles',
  title: 'Registered vehicles',
  description:
    "Vehicles on the island's register: make, model, colour, engine, fuel and dates; no owners, no number plates.",
  knownBy: ['make', 'model'],
  essential: ['firstRegisteredAt', 'firstRegisteredInJerseyAt'],
  maxAge: DAY_S,
  record: Vehicle,
  orderBy: 'firstRegisteredInJerseyAt',
  datedBy: 'firstRegisteredInJerseyAt',
  keptCounts: ['make', 'fuelType', 'color', 'year'],
  identity: { kind: 'fingerprint', field: 'hash' },
  // The government's headers are only partly known: any of these names, in any order. Absent columns are blank.
  columnAliases: {
    manufacturer: 'make',
    'vehicle make': 'make',
    'vehicle model': 'model',
    'vehicle colour': 'color',
    cc: 'cylinderCapacity',
    'engine size': 'cylinderCapacity',
    'engine capacity': 'cylinderCapacity',
    'unladen weight': 'weight',
    co2: 'co2Emissions',
    fuel: 'fuelType',
    'first registered': 'firstRegisteredAt',
    'date of first registration': 'firstRegisteredAt',
    [`registered in ${here}`]: 'firstRegisteredInJerseyAt',
    [`first registered in ${here}`]: 'firstRegisteredInJerseyAt',
    [`date registered in ${here}`]: 'firstRegisteredInJerseyAt',
  },
  rejectLimit: { percent: 1 },
  // Keeps the publisher's own fingerprint, whose dates may be formatted differently.
  transform: vehicle => (vehicle.hash ? vehicle : { ...vehicle, hash: fingerprint(vehicle) }),
  list: {
    operationId: 'listVehicles',
    summary: 'Registered vehicles, filtered and paged',
    description:
      'Newest registration on the island first; vehicles without that date last. Totals are exact, and the order is total: reading all pages gives every vehicle once.',
    pageLength: 30,
    isRateLimited: true,
    parameters: listParameters,
  },
  counts: [
    {
      operationId: 'countVehiclesByMake',
      summary: 'Number of vehicles of each make',
      path: '/v1/vehicles/makes',
      alias: '/v1/vehicles/stats/makes',
      by: 'make',
      parameters: () => dates,
    },
    {
      operationId: 'countVehiclesByColor',
      summary: 'Number of vehicles of each colour',
      path: '/v1/vehicles/stats/colors',
      alias: '/v1/vehicles/colors',
      by: 'color',
      parameters: () => dates,
    },
    {
      operationId: 'countVehiclesByModel',
      summary: 'Number of vehicles of each make and model',
      path: '/v1/vehicles/models',
      by: ['make', 'model'],
      parameters: modelParameters,
    },
  ],
  dates: selectedDate,
})
