import type { DatasetContext } from '../../datasets/dataset.ts'
import { DamagedReleaseError, type Release } from '../../store/store.ts'

/** When records last changed in one of the releases that are kept, up to the one that is served, by their keys. */
export async function changeTimes(
  { past }: DatasetContext,
  served: Release,
): Promise<ReadonlyMap<string, Date>> {
  const releases = (await past.kept()).filter(({ number }) => number <= served.number).reverse()
  const times = new Map<string, Date>()
  for (const [index, to] of releases.entries()) {
    const from = releases[index - 1]
    if (from === undefined) continue
    const comparing = past.compare({ from, to }, async differences => {
      for await (const { key } of differences.changed()) times.set(key, new Date(to.publishedAt))
    })
    // What cannot be read of the past leaves a change unknown.
    await comparing.catch((error: unknown) => {
      if (!(error instanceof DamagedReleaseError)) throw error
    })
  }
  return times
}
