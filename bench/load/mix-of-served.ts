import type { Target } from '../servers/service.ts'
import { ask } from './answer.ts'
import { type SampledVehicle, vehicleMix } from './mix.ts'

const QUERIES = 1000
const SEED = 1
const PAGES_SAMPLED = 6
const PAGE_ROWS = 1000

/** A thousand distinct queries about the vehicles of a service. The same vehicles give the same queries. */
export async function mixOfServed(service: Target, rows: number): Promise<string[]> {
  const pages = Math.floor(rows / PAGE_ROWS)
  const sample: SampledVehicle[] = []
  for (let i = 0; i < PAGES_SAMPLED; i++) {
    const page = 1 + Math.floor((i * pages) / PAGES_SAMPLED)
    const { body } = await ask(service.port, { path: `/v1/vehicles?page=${page}&limit=${PAGE_ROWS}` })
    sample.push(...(JSON.parse(body.toString()) as { results: SampledVehicle[] }).results)
  }
  return vehicleMix({ sample, rows, count: QUERIES, seed: SEED })
}
