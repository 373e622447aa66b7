import { declareDataset } from '../dataset.ts'
import { Defibrillator } from './schema.ts'

/** Public defibrillators (spec 4.10). */
export const defibrillators = declareDataset({
  name: 'defibrillators',
  title: 'Defibrillators',
  description: 'Defibrillators that the public may use, and where each of them is.',
  knownBy: ['location', 'parish'],
  essential: ['latitude', 'longitude'],
  record: Defibrillator,
  identity: {
    kind: 'uuid',
    naturalKey: defibrillator => `${defibrillator.location}|${defibrillator.parish}`,
  },
  // The raw list calls the location an address. Its post codes are not in the contract.
  columnAliases: { address: 'location', postCode: null },
  list: { operationId: 'listDefibrillators', summary: 'All public defibrillators' },
})
