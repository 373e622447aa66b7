import { toiletsOf, vehiclesOf } from './numbered-releases.ts'
import type { Site } from './site.ts'
import { until } from './until.ts'
import { startClients } from './watching-clients.ts'

/** Publishes the first release of what {@link swapReleases} goes on with. */
export async function publishFirst(site: Site): Promise<void> {
  await publishNumbered(site, 1)
}

/**
 * Publishes release after release while clients keep asking the service at `url`, each as soon as every client has
 * had the one before it. Fails if any answer is wrong; gives how many there were and how long each swap took to reach
 * the last client, the shortest first.
 */
export async function swapReleases(
  site: Site,
  url: string,
  { swaps, clients: count }: { swaps: number; clients: number },
): Promise<{ answers: number; swapMs: readonly number[] }> {
  const clients = startClients(url, count)
  const swapMs: number[] = []
  for (let number = 2; number <= swaps + 1 && !clients.failed(); number++) {
    await publishNumbered(site, number)
    const published = performance.now()
    await until(() => clients.failed() || clients.seenByAll() >= number, `release ${number} at every client`)
    swapMs.push(performance.now() - published)
  }
  return { answers: await clients.stop(), swapMs: swapMs.sort((one, other) => one - other) }
}

async function publishNumbered(site: Site, number: number): Promise<void> {
  await site.publish('toilets', toiletsOf(number))
  await site.publish('vehicles', vehiclesOf(number))
}
