import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Layout } from '../../layout.ts'
import { openReleaseOver } from '../../open-release.ts'
import { type KeptRelease, keptReleases } from '../../registry/releases.ts'
import { readRevision } from '../../registry/revision.ts'
import type { Registry } from '../../registry/tables.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import type { StoredDataset } from '../../transfer/dump.ts'
import { recordDigest } from '../../transfer/record-digest.ts'
import type { StoreMoment } from '../../transfer/store-dump.ts'
import { kyselyOver } from '../dialect.ts'
import { type Database, openDatabase } from '../driver.ts'
import { toReadError } from '../faults.ts'
import { releasePath } from '../paths.ts'
import { columnScan } from '../read/column-scan.ts'
import { tableEngine } from '../read/table-engine.ts'
import { openRegistry } from '../registry.ts'
import { verifyFile } from '../release-file.ts'
import { registryTablesOf, SCHEMA } from './tables.ts'

type Opened = OpenRelease & { readonly digest: string }

/**
 * Opens the store of a folder as it is now: a read transaction on the registry, which no writer waits for, and all
 * release files, as an open file outlives its pruning.
 */
export async function openMoment(folder: string, datasets: readonly StoredDataset[]): Promise<StoreMoment> {
  const registry = await openRegistry(folder)
  try {
    const releases = await openReleases(folder, registry, datasets)
    const { rows } = await sql<{ user_version: number }>`pragma file.user_version`.execute(registry)
    return {
      header: { at: new Date().toISOString(), engine: 'sqlite', schema: rows[0]?.user_version ?? 0 },
      registry,
      schema: SCHEMA,
      tables: await registryTablesOf(registry),
      async open({ release: { dataset, number } }) {
        const found = releases.get(keyOf(dataset, number))
        if (found === undefined) throw new Error(`release ${number} of ${dataset} was not opened`)
        if (isDamaged(found)) throw found
        return found
      },
      async close() {
        await closeAll(releases)
        await registry.destroy()
      },
    }
  } catch (error) {
    await registry.destroy()
    throw error
  }
}

type Releases = ReadonlyMap<string, Opened | DamagedReleaseError>

const keyOf = (dataset: string, number: number): string => `${dataset} ${number}`

/** Begins the transaction, anew if a release was pruned between it and the opening of the files. */
async function openReleases(
  folder: string,
  registry: Registry,
  datasets: readonly StoredDataset[],
): Promise<Releases> {
  for (let before: number | undefined; ; ) {
    await sql`begin deferred`.execute(registry)
    const revision = await readRevision(registry, 'revision')
    const releases = new Map<string, Opened | DamagedReleaseError>()
    for (const { name, layout } of datasets)
      for (const kept of await keptReleases(registry, name))
        releases.set(keyOf(name, kept.release.number), await openOrDamaged(folder, kept, layout))
    if (revision === before || ![...releases.values()].some(isDamaged)) return releases
    before = revision
    await closeAll(releases)
    await sql`rollback`.execute(registry)
  }
}

const isDamaged = (release: Opened | DamagedReleaseError): release is DamagedReleaseError =>
  release instanceof DamagedReleaseError

async function openOrDamaged(
  folder: string,
  kept: KeptRelease,
  layout: Layout,
): Promise<Opened | DamagedReleaseError> {
  const path = releasePath(folder, kept.release)
  try {
    await verifyFile(path, kept)
    const file = openDatabase(path, { finished: true })
    const database = await kyselyOver<unknown>(file, error => toReadError(error, path))
    const open = openReleaseOver(tableEngine(database), kept.release, layout, {
      scan: table => columnScan(file, path, table),
      close: () => database.destroy(),
    })
    return { ...open, digest: digestOf(file) }
  } catch (error) {
    if (error instanceof DamagedReleaseError) return error
    if (existsSync(path)) throw error
    const { dataset, number } = kept.release
    // It was pruned since it was verified.
    return new DamagedReleaseError(`release ${number} of ${dataset} is damaged: ${path} is missing`)
  }
}

async function closeAll(releases: Releases): Promise<void> {
  for (const release of releases.values()) if (!isDamaged(release)) await release.close()
}

function digestOf(file: Database): string {
  const sum = recordDigest()
  for (const row of file.prepare('select digest, copies from digests').iterate()) {
    const { digest, copies } = row as { digest: Uint8Array; copies: number }
    sum.add(digest, copies)
  }
  return sum.digest()
}
