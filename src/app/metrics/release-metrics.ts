import type { Registry } from 'prom-client'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import type { Release } from '../../store/store.ts'
import { gauge } from './collected.ts'

const STORE_PARTS = ['primary', 'read host'] as const

/** Adds the metrics of the served releases, by dataset. */
export function releaseMetrics(
  registry: Registry,
  datasets: readonly { name: string }[],
  snapshots: Snapshots,
): void {
  const byDataset = (name: string, help: string, value: (dataset: string) => number | undefined) =>
    gauge(registry, name, help, {
      label: 'dataset',
      values: () =>
        datasets.flatMap(dataset => {
          const current = value(dataset.name)
          return current === undefined ? [] : [[dataset.name, current] as const]
        }),
    })
  const ofServed = (value: (release: Release) => number) => (dataset: string) => {
    const snapshot = snapshots.get(dataset)
    return snapshot && value(snapshot.release)
  }
  byDataset(
    'pds_release_age_seconds',
    'Seconds since the served release was published.',
    ofServed(({ publishedAt }) => Math.max(0, (Date.now() - Date.parse(publishedAt)) / 1000)),
  )
  byDataset(
    'pds_release_number',
    'Number of the served release.',
    ofServed(({ number }) => number),
  )
  byDataset(
    'pds_release_rows',
    'Records of the served release.',
    ofServed(({ rows }) => rows),
  )
  byDataset('pds_release_damaged', '1 if the current release is damaged and not served.', dataset =>
    snapshots.health(dataset).damaged === null ? 0 : 1,
  )
  byDataset('pds_release_leases', 'Leases by which requests and downloads keep releases open.', dataset => {
    const { held } = snapshots.leases(dataset)
    return held
  })
  byDataset('pds_releases_open', 'Releases open for reading, superseded ones included.', dataset => {
    const { open } = snapshots.leases(dataset)
    return open
  })
}

/** Adds the metrics of the store's state. */
export function storeMetrics(
  registry: Registry,
  { storeFailure, degradedComponents }: Pick<Snapshots, 'storeFailure' | 'degradedComponents'>,
): void {
  gauge(registry, 'pds_store_unavailable', '1 while the store cannot be read.', () =>
    Number(storeFailure() !== null),
  )
  gauge(registry, 'pds_store_servers_unavailable', 'Unavailable servers of the store, by their part in it.', {
    label: 'part',
    values() {
      const degraded = degradedComponents()
      return STORE_PARTS.map(part => [part, degraded.filter(component => component.part === part).length])
    },
  })
}
