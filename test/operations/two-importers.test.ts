import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { vehiclesOf } from '../support/numbered-releases.ts'
import { makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'
import { checkReleases, isWriting, leftovers } from '../support/whole-store.ts'

const CLEAR =
  /^(error: another import or rollback is writing to .*: try again when it has ended|waiting for another import to finish)$/m

/** Starts an import of vehicles from standard input, and gathers what it says. */
function startImport(site: Site) {
  const child = site.start(['import', 'vehicles', '-', '--force'])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text))
  child.stdin.on('error', () => {})
  return { child, said: () => said, ended: ended(child) }
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const [status] = await once(child, 'close')
  return status
}

test('an import that meets another one waits or is refused, and the store stays consistent', async t => {
  const site = await makeSite(t)
  const first = startImport(site)
  const source = vehiclesOf(1)
  const cut = source.indexOf('\n', source.length / 2)
  first.child.stdin.write(source.slice(0, cut))
  await until(async () => isWriting(site), 'the first import having begun')

  const second = startImport(site)
  second.child.stdin.end(vehiclesOf(2))
  await until(() => CLEAR.test(second.said()), 'a word of the second import')
  assert.equal(await site.store.releases.current('vehicles'), undefined)
  first.child.stdin.end(source.slice(cut))
  assert.equal(await first.ended, 0, first.said())
  if ((await second.ended) === 0) assert.equal((await checkReleases(site, 'vehicles'))?.number, 2)
  else assert.equal((await checkReleases(site, 'vehicles'))?.rows, source.trim().split('\n').length - 1)
  assert.deepEqual(await leftovers(site, 'vehicles'), [])
})

test('of two imports at once at least one is published; the other too, or it is refused in one clear line', async t => {
  const site = await makeSite(t)
  const both = [startImport(site), startImport(site)]
  for (const [index, { child }] of both.entries()) child.stdin.end(vehiclesOf(index + 1))
  const statuses = await Promise.all(both.map(({ ended }) => ended))
  assert.ok(statuses.includes(0), both.map(({ said }) => said()).join(''))
  for (const [index, { said }] of both.entries())
    if (statuses[index] !== 0) {
      assert.equal(statuses[index], 1)
      assert.match(said(), CLEAR)
      assert.equal(said().trim().split('\n').length, 1)
    }
  const current = await checkReleases(site, 'vehicles')
  assert.equal(current?.number, statuses.filter(status => status === 0).length)
  assert.deepEqual(await leftovers(site, 'vehicles'), [])
})
