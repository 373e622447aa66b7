import type { Route } from '../../../http/routing/router.ts'
import { endpointOf, type Tool } from '../tool.ts'
import { catalogueTools } from './catalogue-tools.ts'
import { countTools } from './count-records.ts'
import { listTool } from './list-tool.ts'
import { LIVE_PARKING } from './live-parking.ts'

/** The tools that agents have, of those whose endpoints the service has. */
export function createTools(routes: readonly Route[], names: readonly string[]): readonly Tool[] {
  const list = (operationId: string, about: Parameters<typeof listTool>[1]): Tool[] => {
    const endpoint = endpointOf(routes, operationId)
    return endpoint === undefined ? [] : [listTool(endpoint, about)]
  }
  return [
    ...catalogueTools(names),
    ...list('listPlaces', {
      name: 'find_places',
      title: 'Find places',
      description:
        'Car parks, public toilets, recycling centres and defibrillators, nearest first with `near`. `minFreeSpaces` selects car parks with so many free spaces now; `service` is of recycling centres, `facility` of toilets.',
      datasets: [],
    }),
    ...(endpointOf(routes, 'listLiveSpaces') === undefined ? [] : [LIVE_PARKING]),
    ...list('listVehicles', {
      name: 'search_vehicles',
      title: 'Search the register of vehicles',
      description:
        'Registered vehicles by make, model, colour, fuel and date of registration, newest first, with the exact total. To count, use `total` or count_records: do not read all entries.',
      datasets: ['vehicles'],
    }),
    ...countTools(routes, names),
    ...list('listProductRecalls', {
      name: 'search_recalls',
      title: 'Search product recalls',
      description: 'Safety warnings and recalls of products, newest first. `websiteUrl` leads to the notice.',
      datasets: ['product-recalls'],
      fields: ['id', 'title', 'brand', 'recallDate', 'problem', 'websiteUrl'],
    }),
  ]
}
