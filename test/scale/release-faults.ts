import type { Instance } from '../support/fleet.ts'
import { until } from '../support/until.ts'
import type { Installation } from './installation.ts'
import type { Stage } from './stage.ts'

/** A new release of a whole register is loaded by all instances at once. */
const LOAD_MS = 120_000

export async function publishRelease({ installation, fleet }: Stage) {
  const { number, seconds } = await installation.publish('vehicles')
  const served = await servedAfter(installation, fleet, 'vehicles', number)
  return { import: seconds, ...served }
}

export async function publishWhileReplicaLags({ installation, fleet }: Stage) {
  const replica = await installation.postgres.replica()
  await replica.pauseReplay()
  const { number } = await installation.publish('toilets')
  const served = await servedAfter(installation, fleet, 'toilets', number)
  await replica.resumeReplay()
  return served
}

/** Waits until a release is served by all; gives when it was by the first and by the last. */
export async function servedAfter(
  installation: Installation,
  fleet: readonly Instance[],
  dataset: string,
  number: number,
): Promise<{ 'first serves it': number; 'all serve it': number }> {
  const published = await installation.publishedAt(dataset, number)
  const times = await Promise.all(
    fleet.map(async instance => {
      const series = `pds_release_number{dataset="${dataset}"}`
      await until(
        async () => (await instance.metric(series)) === number,
        `${instance.name} serving ${number}`,
        LOAD_MS,
      )
      return (Date.now() - published) / 1000
    }),
  )
  return { 'first serves it': Math.min(...times), 'all serve it': Math.max(...times) }
}
