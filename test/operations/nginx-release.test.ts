import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { TOILETS } from '../support/island.ts'
import { NO_NGINX, startNginx } from '../support/nginx.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { cacheStatus, clientOf, type Got, type Headers } from '../support/whole-responses.ts'

/*
 * A release that is published while its predecessor is in the cache of the committed nginx, as run-behind-a-proxy.md has it.
 */

const PATH = '/v1/toilets'
const CODINGS = ['', 'gzip', 'br'].map(coding => ({ 'accept-encoding': coding }))

type Client = ReturnType<typeof clientOf>

const inEachCoding = (ask: Client, headers: Headers = {}) =>
  Promise.all(CODINGS.map(coding => ask(PATH, { ...coding, ...headers })))
const content = (all: readonly Got[]) => all.map(({ headers, body }) => [headers.etag, body])

test('a new release is seen when its predecessor is no longer kept', { skip: NO_NGINX }, async t => {
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const instance = await site.serve()
  const folder = await emptyFolder(t)
  const { host } = new URL(instance.url)
  const get = clientOf(t, await startNginx(t, [host, host], folder))
  const direct = clientOf(t, instance.url)
  const isKept = () =>
    until(async () => (await inEachCoding(get)).every(got => cacheStatus(got) === 'HIT'), 'all being kept')

  const before = await inEachCoding(direct)
  await isKept()
  await site.publish('toilets', TOILETS.slice(1))
  const after = await until(async () => {
    const all = await inEachCoding(direct)
    return all.every(({ headers }, index) => headers.etag !== before[index]?.headers.etag) && all
  }, 'the instance having the release')

  // What is fresh is given out whole, whatever the client says of its own copy.
  for (const headers of [{}, { 'cache-control': 'no-cache', pragma: 'no-cache' }])
    assert.deepEqual(content(await inEachCoding(get, headers)), content(before))

  const cache = join(folder, 'run/cache')
  for (const name of await readdir(cache)) await rm(join(cache, name), { recursive: true })
  assert.deepEqual(content(await inEachCoding(get)), content(after))
  await isKept()
  assert.deepEqual(content(await inEachCoding(get)), content(after))
})
