import { HOUR_S } from '../../values/time-units.ts'
import { declareDataset } from '../dataset.ts'
import { RecyclingCentre } from './schema.ts'

/** Recycling centres (spec 4.9). */
export const recycling = declareDataset({
  name: 'recycling',
  title: 'Recycling centres',
  description: 'Places that take material for recycling, and what each takes.',
  noun: 'recycling centres',
  knownBy: ['location', 'parish'],
  essential: ['latitude', 'longitude', 'services'],
  path: '/v1/recycling',
  maxAge: HOUR_S,
  record: RecyclingCentre,
  identity: { kind: 'uuid', naturalKey: centre => `${centre.location}|${centre.parish}` },
  columnAliases: {},
  rejectLimit: { rows: 0 },
  list: { operationId: 'listRecyclingCentres', summary: 'All recycling centres' },
})
