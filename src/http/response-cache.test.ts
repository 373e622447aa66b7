import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../errors.ts'
import { type StoredResponse, storeResponse } from './response.ts'
import { createResponseCache, type ResponseCache } from './response-cache.ts'

const MB = 2 ** 20

/** A response of the given size. */
const response = (bytes = 10): StoredResponse =>
  storeResponse(
    { tag: 'tag', lastModified: new Date(0), maxAge: 1, staleIfError: 1, synthetic: false },
    { body: Buffer.alloc(bytes) },
  )

/** Gets or creates a response that depends on `read`. */
const request = (
  cache: ResponseCache,
  key: string,
  create: () => StoredResponse | Promise<StoredResponse>,
  read: () => unknown = () => 1,
) => cache.getOrCreate(key, { read, value: read() }, create)

test('a response is made once while its cache version is the same', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  let version = {}
  let made = 0
  const create = () => {
    made++
    return response()
  }
  const get = () => request(cache, '/a', create, () => version)
  const first = await get()
  assert.equal(await get(), first)
  assert.equal(cache.find('/a'), first)
  version = {}
  assert.equal(cache.find('/a'), undefined)
  assert.notEqual(await get(), first)
  assert.equal(made, 2)
})

test('requests share a response that is being made, but not one made of something older', async () => {
  for (const maxBytes of [0, MB]) {
    const cache = createResponseCache({ maxBytes })
    let version = 1
    const finish: (() => void)[] = []
    const create = () => new Promise<StoredResponse>(resolve => finish.push(() => resolve(response())))
    const get = () => request(cache, '/a', create, () => version)
    const requested = [get(), get()]
    version = 2
    requested.push(get(), get())
    assert.equal(finish.length, 2)
    for (const end of finish) end()
    const [a, b, c, d] = await Promise.all(requested)
    assert.equal(a, b)
    assert.equal(c, d)
    assert.notEqual(a, c)
    // Nothing stays pending: the next response is created again, or cached.
    const next = get()
    assert.equal(finish.length, maxBytes === 0 ? 3 : 2)
    finish.at(-1)?.()
    await next
  }
})

test('what is for one request alone is not shared with requests at the same time', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  const results = [{ status: 429 }, response(), response()]
  const get = () => {
    const create = () => Promise.resolve(results.shift() ?? response())
    return cache.getOrCreate<{ status: number }>('/a', { read: () => 1, value: 1 }, create)
  }
  const [first, second] = await Promise.all([get(), get()])
  assert.deepEqual(first, { status: 429 })
  assert.ok('select' in second)
})

test('who waits for a response is not refused because of the load of the client that asked first', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  const refusals = [new Problem('OVERLOADED', 'The first client asks too much.')]
  const get = () =>
    request(cache, '/a', async () => {
      const refusal = refusals.pop()
      if (refusal !== undefined) throw refusal
      return response()
    })
  const [first, ...others] = await Promise.allSettled([get(), get(), get()])
  assert.equal(first.status, 'rejected')
  const [second, third] = others.map(each => each.status === 'fulfilled' && each.value)
  assert.ok(second)
  assert.equal(second, third)
})

test('a response made while its cache version changed is not cached as the new one', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  let version = 1
  const slow = request(
    cache,
    '/a',
    async () => {
      version = 2
      return response()
    },
    () => version,
  )
  await slow
  assert.equal(cache.find('/a'), undefined)
})

test('failures are not cached', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  const fail = () => {
    throw new Error('never')
  }
  await assert.rejects(async () => request(cache, '/a', async () => Promise.reject(new Error('no'))), /no/)
  assert.throws(() => request(cache, '/a', fail), /never/)
  assert.equal((await request(cache, '/a', async () => response(7))).body.length, 7)
})

test('the cache stays within its bound, and the least recently used go first', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  for (let i = 0; i < 100; i++) {
    await request(cache, `/${i}`, () => response(10_000))
    cache.find('/0')
  }
  const cached = Array.from({ length: 100 }, (_, i) => cache.find(`/${i}`) !== undefined)
  assert.ok(cached[0])
  assert.ok(!cached[1])
  // 24,100 bytes each: body twice, headers and all.
  assert.equal(cached.filter(Boolean).length, 43)
  await request(cache, '/large', () => response(MB))
  assert.equal(cache.find('/large'), undefined)
})

test('ever new queries that find nothing take no more than the bound', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  const key = (i: number) => `/v1/vehicles?make=junk${i}`
  for (let i = 0; i < 5000; i++) await request(cache, key(i), () => response(70))
  let cached = 0
  for (let i = 0; i < 5000; i++) cached += cache.find(key(i)) === undefined ? 0 : 1
  assert.ok(cached > 200 && cached < 256, `${cached} cached`)
})

test('another spelling of a key finds its response while that is current, and takes nobody else’s place', async () => {
  const cache = createResponseCache({ maxBytes: MB })
  let version = 1
  const made = await request(
    cache,
    '/a?x=1',
    () => response(),
    () => version,
  )
  cache.alias('/b', '/nothing')
  assert.equal(cache.find('/b'), undefined)
  for (let i = 0; i < 20_000; i++) cache.alias(`/a?x=1&${i}`, '/a?x=1')
  cache.alias('/a?x=%31', '/a?x=1')
  assert.equal(cache.find('/a?x=%31'), made)
  assert.equal(cache.find('/a?x=1'), made)
  version = 2
  assert.equal(cache.find('/a?x=%31'), undefined)
})
