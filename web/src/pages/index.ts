import type { Page } from '../page.ts'
import { accessibility } from './accessibility/page.tsx'
import { apiIndex } from './api/index-page.tsx'
import { operationPage } from './api/operation-page.tsx'
import { carpark } from './carpark/page.tsx'
import { catalogue } from './catalogue/page.tsx'
import { dataset } from './dataset/page.tsx'
import { documentPage } from './docs/document-page.tsx'
import { docsIndex } from './docs/index-page.tsx'
import { sectionPage } from './docs/section-page.tsx'
import { embeddedCarPark, embeddedParking } from './embed-parking/page.tsx'
import { embeddedRecalls } from './embed-recalls/page.tsx'
import { embeddedVehicles } from './embed-vehicles/page.tsx'
import { emergency } from './emergency/page.tsx'
import { front } from './front/page.tsx'
import { map } from './map/page.tsx'
import { offline } from './offline/page.tsx'
import { overTime } from './over-time/page.tsx'
import { parking } from './parking/page.tsx'
import { place } from './place/page.tsx'
import { problem, problems } from './problems/page.tsx'
import { recall } from './recall/page.tsx'
import { recalls } from './recalls/page.tsx'
import { search } from './search/page.tsx'
import { status } from './status/page.tsx'
import { chartFile } from './vehicles/chart-file.tsx'
import { vehicles } from './vehicles/page.tsx'

/** Every page, in the order in which a reader of the code meets them. */
export const ALL: readonly Page[] = [
  front,
  emergency,
  search,
  parking,
  carpark,
  map,
  place,
  offline,
  vehicles,
  chartFile,
  overTime,
  recalls,
  recall,
  catalogue,
  dataset,
  docsIndex,
  apiIndex,
  operationPage,
  sectionPage,
  documentPage,
  problems,
  problem,
  status,
  accessibility,
  embeddedParking,
  embeddedCarPark,
  embeddedRecalls,
  embeddedVehicles,
]
