import { Readable } from 'node:stream'
import { importDataset } from '../src/releases/import/import.ts'
import type { Importable } from '../src/releases/import/importable.ts'
import type { ImportReport, Progress } from '../src/releases/import/report.ts'
import type { Store } from '../src/store/store.ts'
import { carparks } from './datasets/carparks.ts'
import { defibrillators } from './datasets/defibrillators.ts'
import { productRecalls } from './datasets/product-recalls.ts'
import { recyclingCentres } from './datasets/recycling.ts'
import { toilets } from './datasets/toilets.ts'
import { DEMO_SEED, ISLAND_NAME } from './island-facts.ts'
import { vehiclesCsv } from './vehicles/vehicles.ts'

/** The text of each dataset's source, in chunks. */
const SOURCES: Readonly<Record<string, (seed: number) => Iterable<string>>> = {
  vehicles: vehiclesCsv,
  carparks: seed => [JSON.stringify(carparks(seed))],
  toilets: seed => [JSON.stringify(toilets(seed))],
  recycling: seed => [JSON.stringify(recyclingCentres(seed))],
  defibrillators: seed => [JSON.stringify(defibrillators(seed))],
  'product-recalls': seed => [JSON.stringify(productRecalls(seed))],
}

/** The datasets of the synthetic island. */
export const ISLAND_DATASETS: readonly string[] = Object.keys(SOURCES)

/** A dataset of the synthetic island in its source form. The same seed gives the same bytes. */
export function islandSource(dataset: string, seed = DEMO_SEED): { source: string; input: Readable } {
  const pieces = Object.hasOwn(SOURCES, dataset) ? SOURCES[dataset] : undefined
  if (pieces === undefined) throw new RangeError(`the synthetic island has no dataset "${dataset}"`)
  return { source: ISLAND_NAME, input: Readable.from(pieces(seed), { objectMode: false }) }
}

export interface FillOptions {
  readonly store: Store
  readonly datasets: readonly Importable[]
  readonly seed?: number
  readonly onProgress?: (dataset: string, progress: Progress) => void
}

/**
 * Publishes the island's data, marked as synthetic, for each dataset that has no current release; other datasets are
 * left unchanged. Resolves to the reports; throws with the reason if an import is refused.
 */
export async function fillIsland(options: FillOptions): Promise<ImportReport[]> {
  const reports: ImportReport[] = []
  for (const dataset of options.datasets) {
    const isWanted = ISLAND_DATASETS.includes(dataset.name)
    if (isWanted && !(await options.store.releases.current(dataset.name)))
      reports.push(await fill(dataset, options))
  }
  return reports
}

async function fill(dataset: Importable, { store, seed, onProgress }: FillOptions): Promise<ImportReport> {
  const report = await importDataset({
    store,
    dataset,
    ...islandSource(dataset.name, seed),
    synthetic: true,
    onProgress: progress => onProgress?.(dataset.name, progress),
  })
  if (report.outcome === 'refused')
    throw new Error(
      `the ${ISLAND_NAME}'s ${dataset.name} were refused: ${report.reason ?? 'no reason given'}`,
    )
  return report
}
