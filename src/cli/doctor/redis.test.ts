import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { NO_REDIS, startRedis } from '../../../test/support/redis.ts'
import { checkRedis } from './connections.ts'

test('doctor: without REDIS_URL there is nothing to fix', async () => {
  assert.deepEqual(
    (await checkRedis({ REDIS_URL: undefined })).map(({ status }) => status),
    ['ok'],
  )
})

test('doctor: a Redis that counts is ok; a replica, an unreachable one and a refused user are reported', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const check = async (url: string) => {
    const [found] = await checkRedis({ REDIS_URL: url })
    return `${found?.status}: ${found?.finding}`
  }
  assert.match(await check(redis.url), /^ok: connects and counts, in \d+ ms$/)
  assert.match(await check(redis.url.replace('//', '//nobody:s3cret@')), /^fail: .*\(WRONGPASS\)$/)
  assert.match(await check(`redis://127.0.0.1:${await freePort()}`), /^fail: .*\(ECONNREFUSED\)$/)
  await redis.ask('REPLICAOF', '127.0.0.1', '1')
  assert.match(await check(redis.url), /^fail: .*\(READONLY\)$/)
})
