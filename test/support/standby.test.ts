import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { PostgresNode } from './postgres-node.ts'
import { NO_STANDBY, startPair } from './standby.ts'
import { until } from './until.ts'

test('a standby follows, lags on demand, is promoted when the primary is killed, and the old primary follows it', {
  skip: NO_STANDBY,
}, async t => {
  const { primary, standby } = await startPair(t)
  await t.test(
    'frozen, it answers nothing until it is thawed; its children alone, it answers newcomers',
    () => freezeAndThaw(primary),
  )
  const count = async (node: PostgresNode) =>
    (await node.run<{ count: string }>('select count(*) from numbers', 'pds'))[0]?.count
  await primary.run('create table numbers as select generate_series(1, 10)', 'pds')
  await standby.catchUp(primary)
  assert.equal(await count(standby), '10')
  await assert.rejects(standby.run('insert into numbers values (11)', 'pds'), { code: '25006' })

  await standby.pauseReplay()
  await primary.run('insert into numbers values (11)', 'pds')
  assert.equal(await count(standby), '10')
  await standby.resumeReplay()
  await until(async () => (await count(standby)) === '11', 'the eleventh')

  await standby.kill()
  await primary.run('insert into numbers values (12)', 'pds')
  await standby.start()
  await until(async () => (await count(standby)) === '12', 'the twelfth')

  await primary.kill()
  await standby.promote()
  await standby.run('insert into numbers values (13)', 'pds')
  await primary.follow(standby)
  assert.equal(await count(primary), '13')
})

async function freezeAndThaw(primary: PostgresNode): Promise<void> {
  const held = new Client({ connectionString: primary.address() })
  await held.connect()
  // It is lost when the test ends.
  held.on('error', () => {})
  let answers = 0
  const ask = async () => {
    await held.query('select 1')
    answers++
  }
  await primary.freeze('children')
  const first = ask()
  await primary.run('select 1')
  assert.equal(answers, 0)
  await primary.thaw()
  await first
  await primary.freeze()
  const second = ask()
  // Not even a newcomer is answered, so there is nothing to wait for but time.
  await assert.rejects(primary.run('select 1'), /timeout/)
  assert.equal(answers, 1)
  await primary.thaw()
  await second
  assert.equal(answers, 2)
}
