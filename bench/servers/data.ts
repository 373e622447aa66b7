import { existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/store/open-store.ts'
import type { Cores } from './machine.ts'
import { runNode } from './process.ts'

/** A store that the bench serves from. */
export interface BenchStore {
  /** For DATABASE_URL. */
  readonly address: string
  /** How long it took to make the store; undefined if it already existed. */
  readonly madeInSeconds: number | undefined
}

/** The folder of the stores: the chosen one, which stays, or a temporary one, which is always removed at the end of the bench. */
export async function storesFolder(chosen: string | undefined): Promise<string> {
  if (chosen !== undefined) return resolve(chosen)
  const folder = await mkdtemp(join(tmpdir(), 'pds-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Fills a store with `rows` vehicles and the island's other datasets, unless it already exists. */
export async function prepareStore(
  folder: string,
  rows: number,
  cores: Cores | undefined,
): Promise<BenchStore> {
  const place = join(folder, rows === 0 ? 'without-vehicles' : `vehicles-${rows}`)
  const address = `sqlite:${place}`
  if (await isComplete(place, rows)) return { address, madeInSeconds: undefined }
  rmSync(place, { recursive: true, force: true })
  const began = performance.now()
  const script = fileURLToPath(new URL('fill-store.ts', import.meta.url))
  await runNode(['--import', import.meta.resolve('tsx'), script, address, String(rows)], {
    cores: cores?.all,
  })
  return { address, madeInSeconds: (performance.now() - began) / 1000 }
}

async function isComplete(place: string, rows: number): Promise<boolean> {
  if (!existsSync(place)) return false
  const store = await openStore(`sqlite:${place}`)
  try {
    const releases = await store.releases.list('vehicles')
    if (rows === 0)
      return releases.length === 0 && (await store.releases.current('product-recalls')) !== undefined
    // An interrupted run may have left the second release current.
    if (releases.length === 2 && releases[0]?.currentSince !== null)
      await store.releases.makeCurrent('vehicles', 1)
    return releases.length === 2 && releases.every(release => release.rows === rows)
  } finally {
    await store.close()
  }
}
