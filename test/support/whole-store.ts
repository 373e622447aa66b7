import assert from 'node:assert/strict'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DATASETS } from '../../src/datasets/index.ts'
import { lockPath } from '../../src/store/sqlite/folder.ts'
import { tryLock } from '../../src/store/sqlite/locks.ts'
import type { Release, Store } from '../../src/store/store.ts'
import type { Site } from './site.ts'

/** Opens the current release of a dataset, which checks its bytes, and counts its records; gives the release. */
export async function checkCurrent({ store }: Site, dataset: string): Promise<Release | undefined> {
  const current = await store.releases.current(dataset)
  if (current !== undefined) await check(store, current)
  return current
}

/** Does the same with every release that is kept; gives the current one. */
export async function checkReleases({ store }: Site, dataset: string): Promise<Release | undefined> {
  for (const release of await store.releases.list(dataset)) await check(store, release)
  return store.releases.current(dataset)
}

async function check(store: Store, release: Release): Promise<void> {
  const layout = DATASETS.find(({ name }) => name === release.dataset)?.layout
  assert.ok(layout !== undefined, release.dataset)
  const opened = await store.releases.open(release, layout)
  let rows = 0
  for await (const _record of opened.records()) rows++
  assert.equal(rows, release.rows, `${release.dataset} release ${release.number}`)
}

/** The name of a release's file. */
export const nameOfFile = (dataset: string, number: number) =>
  `${number}.${dataset === 'vehicles' ? 'table' : 'ndjson.gz'}`

/** Flips one bit in the middle of a release's file, as a failing disk may. */
export async function damage({ data }: Pick<Site, 'data'>, dataset: string, number: number): Promise<void> {
  const file = await open(join(data, 'releases', dataset, nameOfFile(dataset, number)), 'r+')
  try {
    const at = Math.floor((await file.stat()).size / 2)
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, at)
    await file.write(Buffer.from([byte.readUInt8() ^ 0b100]), 0, 1, at)
  } finally {
    await file.close()
  }
}

/** Whether another process is writing a release. */
export function isWriting({ data }: Pick<Site, 'data'>): boolean {
  const lock = tryLock(lockPath(data))
  lock?.close()
  return lock === undefined
}

/** Files in a dataset's folder that are no release which the registry knows. */
export async function leftovers({ store, data }: Site, dataset: string): Promise<string[]> {
  const known = (await store.releases.list(dataset)).map(({ number }) => nameOfFile(dataset, number))
  const files = await readdir(join(data, 'releases', dataset))
  return files.filter(file => !known.includes(file))
}
