import { carparks } from './carparks/index.ts'
import type { Dataset } from './dataset.ts'
import { defibrillators } from './defibrillators/index.ts'
import { productRecalls } from './product-recalls/index.ts'
import { recycling } from './recycling/index.ts'
import { toilets } from './toilets/index.ts'
import { vehicles } from './vehicles/index.ts'

/** Every dataset of the service, in order of presentation. A new dataset is one folder and one line here. */
export const DATASETS: readonly Dataset[] = [
  vehicles,
  carparks,
  toilets,
  recycling,
  defibrillators,
  productRecalls,
]
