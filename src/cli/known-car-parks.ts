import { carparks } from '../datasets/carparks/index.ts'
import type { KnownCarPark } from '../parking/history/import/car-park-index.ts'
import type { Store } from '../store/store.ts'

/** The car parks that a history file may name: those with readings, and those of the current release with a code. */
export async function knownCarParks(store: Store): Promise<KnownCarPark[]> {
  const byCode = new Map<string, { code: string; names: string[] }>()
  const add = (code: string, name: string) => {
    const known = byCode.get(code.toUpperCase())
    if (known === undefined) byCode.set(code.toUpperCase(), { code, names: [name] })
    else known.names.push(name)
  }
  // The feed's own names come first: readings are stored under them.
  for (const { code, name } of await store.readings.keptHistory()) add(code, name)
  const release = await store.releases.current(carparks.name)
  if (release === undefined) return [...byCode.values()]
  const open = await store.releases.open(release, carparks.layout)
  try {
    for await (const { liveTrackingCode, name } of open.records())
      if (typeof liveTrackingCode === 'string') add(liveTrackingCode, String(name))
  } finally {
    await open.close()
  }
  return [...byCode.values()]
}
