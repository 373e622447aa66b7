import { declareDataset } from '../dataset.ts'
import { Carpark, CarparkInList } from './schema.ts'
import { addSingleCarparkRoute } from './single.ts'

/** Car parks (spec 4.5 to 4.7), with live free spaces where the government's feed counts them. */
export const carparks = declareDataset({
  name: 'carparks',
  title: 'Car parks',
  description:
    'Public car parks with their spaces and ways to pay, and live free spaces of some multi-storey ones.',
  knownBy: ['name'],
  essential: ['latitude', 'longitude'],
  record: Carpark,
  identity: { kind: 'uuid', naturalKey: carpark => String(carpark.name) },
  columnAliases: { ownerName: 'owner' },
  list: { operationId: 'listCarparks', summary: 'All car parks', item: CarparkInList },
  recordRoute: addSingleCarparkRoute,
})
