import { declareDataset } from '../dataset.ts'
import { Toilet } from './schema.ts'

/** Public toilets (spec 4.8). */
export const toilets = declareDataset({
  name: 'toilets',
  title: 'Public toilets',
  description: 'Public toilets with location, owner and facilities.',
  knownBy: ['name', 'parish'],
  essential: ['latitude', 'longitude'],
  record: Toilet,
  identity: { kind: 'uuid', naturalKey: toilet => `${toilet.name}|${toilet.parish}` },
  columnAliases: { ownerName: 'owner' },
  list: { operationId: 'listToilets', summary: 'All public toilets' },
})
