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
  record: RecyclingCentre,
  identity: { kind: 'uuid', naturalKey: centre => `${centre.location}|${centre.parish}` },
  list: { operationId: 'listRecyclingCentres', summary: 'All recycling centres' },
})
