import assert from 'node:assert/strict'
import { once } from 'node:events'
import { open, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Numbered } from '../support/numbered-imports.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import { kill } from '../support/site.ts'
import { NO_SMALL_DISK } from '../support/small-disk.ts'
import type { Fault, Faults } from './stage.ts'

const publish =
  (...datasets: readonly Numbered[]): Fault =>
  async ({ imports, untilServed }) => {
    const releases = await Promise.all(datasets.map(dataset => imports.publish(dataset)))
    await Promise.all(datasets.map((dataset, place) => untilServed(dataset, releases[place]?.number ?? 0)))
  }

/** At any moment from its start to some time after its end. */
const killImport: Fault = async ({ imports, random }) => {
  const child = imports.startNext('vehicles')
  await pause(random.int(100, 4000))
  await kill(child)
}

/** Each must be refused, and change nothing. */
const GARBAGE: readonly (readonly [dataset: string, text: () => string | Buffer])[] = [
  ['toilets', () => '<!doctype html><title>502 Bad Gateway</title>'],
  ['toilets', () => JSON.stringify({ results: toiletsOf(1).slice(30) })],
  ['toilets', () => 'id,name\n1,\u0000\n'],
  ['vehicles', () => `${'c,'.repeat(200_000)}\n`],
  ['product-recalls', () => '['.repeat(200_000)],
  ['product-recalls', () => gzipSync('id,title,recallDate,problem\n1,a,2024-01-01,b\n'.repeat(1_000_000))],
]

const importGarbage: Fault = async ({ imports }) => {
  for (const [dataset, text] of GARBAGE) {
    const { status, stdout } = await imports.importText(dataset, text())
    assert.equal(status, 1, `${dataset}: ${stdout}`)
  }
}

/** Overwrites half of the file of the vehicles that are served from memory, then publishes the next release. */
const damageRelease: Fault = async ({ fleet, folder = '', imports, untilServed }) => {
  const number = await fleet[0]?.metric('pds_release_number{dataset="vehicles"}')
  const file = await open(join(folder, 'releases', 'vehicles', `${number}.table`), 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(size >> 1, 0xa5), 0, null, size >> 3)
  await file.close()
  const { number: next } = await imports.publish('vehicles')
  await untilServed('vehicles', next)
}

/** Nothing can be imported, nor a reading be saved, until it has space again. */
const fillDisk: Fault = async (stage, t) => {
  const { disk, imports } = stage
  if (disk === undefined) return t.diagnostic(NO_SMALL_DISK)
  const filler = join(disk, 'filler')
  try {
    const { bavail, bsize } = await statfs(disk)
    await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => {})
    const [status] = await once(imports.startNext('vehicles'), 'exit')
    assert.equal(status, 1)
  } finally {
    await rm(filler)
  }
  await publish('vehicles')(stage, t)
}

/** Faults of data and of imports. */
export const DATA_FAULTS: Faults = {
  'a release of vehicles is published': publish('vehicles'),
  'releases of toilets and recalls are published at once': publish('toilets', 'product-recalls'),
  'an import is killed': killImport,
  'six imports of garbage': importGarbage,
}

/** Those of the embedded store. */
export const FILE_FAULTS: Faults = {
  'the release that is served is damaged': damageRelease,
  'the disk is full': fillDisk,
}
