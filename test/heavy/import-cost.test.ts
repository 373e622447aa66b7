import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { islandSource } from '../../demo/island.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'
import { makeSite } from '../support/site.ts'

const MOST_MIB = 400
const noProc = process.platform !== 'linux' && 'memory is read from /proc (Linux)'

test('an import of the whole register stays within 400 MB', { skip: noProc }, async t => {
  const site = await makeSite(t)
  const made = join(site.folder, 'register.csv')
  if (realDataMissing) await writeFile(made, islandSource('vehicles').input)
  const source = realDataMissing ? made : realPath('vehicles/register-synthesised.csv.gz')

  const child = site.start(['import', 'vehicles', source, '--json'])
  const began = performance.now()
  let peakMib = 0
  let ended = false
  const sampling = (async () => {
    while (!ended) {
      peakMib = Math.max(peakMib, await peakMemory(child.pid))
      await pause(10)
    }
  })()
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close').finally(() => {
      ended = true
    }),
  ])
  const seconds = (performance.now() - began) / 1000
  await sampling
  assert.equal(status, 0, stderr)
  const { accepted, durationMs } = JSON.parse(stdout)
  assert.ok(accepted > 100_000)
  t.diagnostic(
    `${accepted} vehicles in ${(durationMs / 1000).toFixed(1)} s (${seconds.toFixed(1)} s with the start of the process), peak ${Math.round(peakMib)} MiB`,
  )
  assert.ok(peakMib > 0 && peakMib < MOST_MIB, `${peakMib} MiB`)
})

/** The most memory that a process has had resident, in MiB; 0 when it is gone. */
async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}
