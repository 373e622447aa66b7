import Type from 'typebox'
import * as field from '../fields.ts'

/** Fuel types that the register is known to use. */
const FUEL_TYPES = {
  PETROL: 'Petrol',
  HEAVY_OIL: 'Heavy oil: diesel',
  ELECTRIC: 'Electricity alone',
  HYBRID_ELECTRIC: 'Hybrid: an engine and an electric motor',
  GAS: 'Gas, such as LPG',
  DIESEL_ELECTRIC: 'Hybrid: a diesel engine and an electric motor',
  GAS_BI_FUEL: 'Gas and another fuel',
  STEAM: 'Steam',
  UNKNOWN: 'Not known',
}

/** Other names of these fuels, in lower case. A request with such a name is refused, and the message has the register's value. */
const OTHER_WORDS_FOR_FUELS: Readonly<Record<string, keyof typeof FUEL_TYPES>> = {
  diesel: 'HEAVY_OIL',
  derv: 'HEAVY_OIL',
  'gas oil': 'HEAVY_OIL',
  gasoline: 'PETROL',
  unleaded: 'PETROL',
  benzine: 'PETROL',
  ev: 'ELECTRIC',
  battery: 'ELECTRIC',
  hybrid: 'HYBRID_ELECTRIC',
  'petrol hybrid': 'HYBRID_ELECTRIC',
  phev: 'HYBRID_ELECTRIC',
  'diesel hybrid': 'DIESEL_ELECTRIC',
  lpg: 'GAS',
  cng: 'GAS',
  autogas: 'GAS',
  'bi-fuel': 'GAS_BI_FUEL',
}

/** A registered vehicle (spec 2.2). */
export const Vehicle = Type.Object(
  {
    make: field.text({
      filter: 'contains',
      search: true,
      sort: true,
      count: true,
      description: 'Make.',
      examples: ['Lancia'],
    }),
    model: field.text({
      filter: 'contains',
      search: true,
      sort: true,
      count: true,
      default: '',
      description: 'Model; empty where the register leaves it blank.',
      examples: ['aprilia'],
    }),
    color: field.text({
      filter: 'contains',
      sort: true,
      count: true,
      label: 'colour',
      default: 'Not Specified',
      description: 'Colour; "Not Specified" where the register leaves it blank.',
      examples: ['Grey'],
    }),
    cylinderCapacity: field.nullableNumber({
      filter: 'range',
      sort: true,
      measure: true,
      description: 'Cubic centimetres; null where the register leaves it blank.',
      examples: [1418],
      unit: 'cm³',
      minimum: 0,
    }),
    weight: field.nullableNumber({
      filter: 'range',
      sort: true,
      measure: true,
      description: 'Kilograms, or null.',
      unit: 'kg',
      minimum: 0,
    }),
    co2Emissions: field.nullableNumber({
      filter: 'range',
      sort: true,
      measure: true,
      label: 'CO2 emissions',
      description: 'Grams of CO2 per kilometre, or null.',
      unit: 'g/km',
      minimum: 0,
    }),
    fuelType: field.openEnumeration(FUEL_TYPES, {
      filter: 'equals',
      several: true,
      sort: true,
      count: true,
      label: 'fuel',
      otherWords: OTHER_WORDS_FOR_FUELS,
      default: 'UNKNOWN',
      description: 'Fuel. The register may add values.',
      examples: ['PETROL'],
    }),
    firstRegisteredAt: field.nullableDate({
      sort: true,
      description:
        'Date of the first registration anywhere, midnight UTC; null where the register leaves it blank.',
      examples: ['1948-09-13T00:00:00.000Z'],
    }),
    firstRegisteredInJerseyAt: field.nullableDate({
      sort: true,
      description:
        'Date of the registration on the island, midnight UTC; null where the register leaves it blank.',
      examples: ['2024-03-11T00:00:00.000Z'],
    }),
    hash: field.text({
      filter: 'equals',
      default: '',
      description:
        'SHA-256 of make, fuel, both dates, capacity and CO2, 64 lower-case hexadecimal digits. A fingerprint, not a key: identical vehicles share it.',
      pattern: '^[0-9a-f]{64}$',
      examples: ['121c70d140b15fc475e4141f9bf3d8a7bf1b9c1754338fd30da982c5a33cb35b'],
    }),
  },
  {
    $id: 'Vehicle',
    title: 'Vehicle',
    description: 'A registered vehicle, without its owner or number plate.',
  },
)
export type Vehicle = Type.Static<typeof Vehicle>
