import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReadHosts } from '../../../src/cli/doctor/store.ts'
import { readConfig } from '../../../src/config.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { NO_STANDBY, startPair } from '../../support/standby.ts'

test('doctor: without servers to read from, nothing is said of them; beside a folder they are refused', async () => {
  assert.deepEqual(await checkReadHosts(readConfig({})), [])
  const [check] = await checkReadHosts(readConfig({ DATABASE_READ_URL: 'postgres://me:secret@host/db' }))
  assert.equal(check?.status, 'fail')
  assert.match(check?.finding ?? '', /^DATABASE_READ_URL is for stores on PostgreSQL alone: unset it/)
})

test('doctor: reports the lag of each read host, or why it is unavailable', {
  skip: NO_STANDBY,
}, async t => {
  const { primary, standby, hostsAddress } = await startPair(t)
  const config = readConfig({
    DATABASE_URL: hostsAddress('read-write'),
    DATABASE_READ_URL: hostsAddress('any', [standby, primary]),
  })
  const findings = async () => (await checkReadHosts(config)).map(({ status, finding }) => [status, finding])
  await standby.catchUp(primary)
  await standby.pauseReplay()
  await (await openStore(config.DATABASE_URL)).close()
  const [[status, behind] = []] = await findings()
  assert.equal(status, 'ok')
  assert.match(behind ?? '', /^127\.0\.0\.1:\d+ is available, a standby, .*\d.* behind$/)
  await standby.resumeReplay()
  await standby.kill()
  assert.deepEqual(await findings(), [
    ['warn', `${standby.host} refuses connections: start PostgreSQL there, or check host and port`],
    ['ok', `${primary.host} is available, not a standby, not behind`],
  ])
})
