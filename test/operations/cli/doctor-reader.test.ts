import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReader } from '../../../src/cli/doctor/store.ts'
import { readConfig } from '../../../src/config.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { NO_STANDBY, startPair } from '../../support/standby.ts'

test('doctor: without a server to read from, nothing is said of it; beside a folder it is refused', async () => {
  assert.deepEqual(await checkReader(readConfig({})), [])
  const [check] = await checkReader(readConfig({ DATABASE_READ_URL: 'postgres://me:secret@host/db' }))
  assert.equal(check?.status, 'fail')
  assert.match(check?.finding ?? '', /^DATABASE_READ_URL is for stores on PostgreSQL alone: unset it/)
})

test('doctor: reports the lag of the reader, or why it is unavailable', {
  skip: NO_STANDBY,
}, async t => {
  const { primary, standby } = await startPair(t)
  const config = readConfig({
    DATABASE_URL: primary.address('pds'),
    DATABASE_READ_URL: standby.address('pds'),
  })
  const finding = async (more = {}) => {
    const [{ status, finding } = assert.fail()] = await checkReader({ ...config, ...more })
    return [status, finding]
  }
  await standby.catchUp(primary)
  await standby.pauseReplay()
  await (await openStore(config.DATABASE_URL)).close()
  const [status, behind] = await finding()
  assert.equal(status, 'ok')
  assert.match(behind ?? '', /^the database pds on 127\.0\.0\.1:\d+ is available, a standby, .*\d.* behind$/)
  await standby.resumeReplay()
  await standby.kill()
  const shown = (port: number) => `the database pds on 127.0.0.1:${port}`
  assert.deepEqual(await finding(), [
    'warn',
    `${shown(standby.port)} refuses connections: start PostgreSQL there, or check host and port`,
  ])
  assert.deepEqual(await finding({ DATABASE_READ_URL: config.DATABASE_URL }), [
    'ok',
    `${shown(primary.port)} is available, not a standby, not behind`,
  ])
})
