import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openStore } from '../../src/store/open-store.ts'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { TOILETS } from '../support/island.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { pds, startPds } from '../support/pds.ts'
import { cluster } from '../support/postgres.ts'
import { postgresFolder, serverUser } from '../support/postgres-programs.ts'
import { giveFolder, run, runProgram, startServer } from '../support/postgres-server.ts'
import { watchServing } from '../support/serving.ts'
import { kill } from '../support/site.ts'
import { NO_STANDBY } from '../support/standby.ts'
import { until } from '../support/until.ts'

/*
 * Runs what deploy/postgres has, against real servers: the role of instances alone, and the scripts of the containers.
 */

const DEPLOYED = fileURLToPath(new URL('../../deploy/postgres', import.meta.url))
const runFile = promisify(execFile)

/** A password that no script may be careless with. */
const PASSWORD = `it's "$a" \\ pass`
const encoded = encodeURIComponent(PASSWORD)

const toilets = (name: string) => JSON.stringify({ results: [{ ...TOILETS[0], name }] })

test('the role of api-role.sql can serve and save readings, and can neither publish nor change a release', {
  skip: NO_STANDBY,
}, async t => {
  const folder = await emptyFolder(t)
  const owner = { DATABASE_URL: await (await cluster()).emptyDatabase() }
  assert.equal((await pds(folder, ['migrate'], { environment: owner })).status, 0)
  const psql = join(postgresFolder() ?? '', 'psql')
  const script = [
    '-q',
    '-v',
    `password=${PASSWORD}`,
    '-f',
    join(DEPLOYED, 'api-role.sql'),
    owner.DATABASE_URL,
  ]
  await runFile(psql, script)
  // A release that comes after the role was made.
  const publish = (environment: { DATABASE_URL: string }, name: string) =>
    pds(folder, ['import', 'toilets', '-', '--force'], { input: toilets(name), environment })
  assert.equal((await publish(owner, 'Pier')).status, 0)

  const instance = { DATABASE_URL: owner.DATABASE_URL.replace('//pds@', `//pds_api:${encoded}@`) }
  const feed = await startUpstream(answers(payload([entry('HARBST', 99)], new Date().toISOString())))
  t.after(() => feed.close())
  const more = { PORT: '0', ADMIN_PORT: String(await freePort()), LIVE_FEED_URL: feed.url }
  const child = startPds(folder, ['serve'], { ...instance, ...more })
  t.after(() => kill(child))
  const serving = await watchServing(t, child)
  const kept = () => run<{ spaces: number }>(owner.DATABASE_URL, 'select spaces from pds.readings')
  assert.deepEqual(await until(async () => (await kept())[0], 'a reading that is kept'), { spaces: 99 })
  assert.match((await serving.get('/v1/toilets')).text, /"Pier"/)
  assert.equal((await publish(owner, 'Dunes')).status, 0)
  await until(async () => (await serving.get('/v1/toilets')).text.includes('"Dunes"'), 'the next release')

  await t.test('it records what the operator has been told', async () => {
    const store = await openStore(instance.DATABASE_URL)
    await store.incidents.save({ key: 'a', type: 'disk.nearly-full', data: {} })
    await store.incidents.remove('a')
    await store.close()
  })

  await t.test('an import by it is refused with one line, and changes nothing', async () => {
    const refused = await publish(instance, 'Castle')
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /^error: [^\n]+ does not give this user permission to do that[^\n]*\n$/m)
    assert.match((await serving.get('/v1/toilets')).text, /"Dunes"/)
  })

  await t.test(
    'a store without the tables of this version names pds migrate, which the owner runs',
    async () => {
      await run(owner.DATABASE_URL, 'drop table pds.journal')
      const refused = await pds(folder, ['releases'], { environment: instance })
      assert.deepEqual([refused.status, refused.stdout], [1, ''])
      assert.match(
        refused.stderr,
        /^error: [^\n]+ lacks journal, which this version adds and this user may not: run `pds migrate` as the owner\n$/,
      )
      assert.match((await serving.get('/v1/toilets')).text, /"Dunes"/)
      assert.equal((await pds(folder, ['migrate'], { environment: owner })).status, 0)
      assert.equal((await pds(folder, ['releases'], { environment: instance })).status, 0)
    },
  )

  await t.test('no release is within its reach', async () => {
    for (const statement of [
      'delete from pds.release_pieces',
      'drop table pds.release_pieces',
      'update pds.datasets set current_number = 1',
      'delete from pds.releases',
      'create table pds.mine (a integer)',
    ])
      await assert.rejects(run(instance.DATABASE_URL, statement), { code: '42501' }, statement)
  })
})

/** A folder of the server's own, with the scripts and a stand-in for the image's entry point, which writes what it is told. */
async function scriptsFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-deployed-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const script of ['primary.sh', 'standby.sh'])
    await copyFile(join(DEPLOYED, script), join(folder, script))
  await writeFile(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\necho "$@" > "$0.told"\n', { mode: 0o755 })
  await writeFile(join(folder, 'password'), PASSWORD)
  await giveFolder(folder)
  return folder
}

test('the scripts of the containers make a primary and a standby that follows it', {
  skip: NO_STANDBY,
}, async t => {
  const folder = await scriptsFolder(t)
  const place = async (name: string) => {
    const own = join(folder, name)
    await mkdir(own)
    await giveFolder(own)
    return { folder: own, data: join(own, 'main'), port: await freePort() }
  }
  const [primary, standby] = [await place('primary'), await place('standby')]
  const runScript = (name: string, environment: Record<string, string>) => {
    const PATH = [folder, postgresFolder(), process.env.PATH].join(':')
    const env = { PATH, PGHOST: '127.0.0.1', PGPORT: String(primary.port), ...environment }
    return runFile('sh', [join(folder, name), 'postgres', '-cmax_connections=100'], {
      ...serverUser(),
      cwd: folder,
      env,
    })
  }
  const addressAt = (hosts: string) => `postgres://pds:${encoded}@${hosts}/pds`
  const hostOf = ({ port }: { port: number }) => `127.0.0.1:${port}`

  const authentication = ['-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  await runProgram(folder, 'initdb', ['-D', primary.data, '-U', 'postgres', '-N', ...authentication])
  const running = await startServer(primary)
  t.after(() => running.end())
  const administrator = `postgres://postgres:${encoded}@${hostOf(primary)}/postgres`
  await until(() => run(administrator, 'select 1').then(Boolean, () => false), 'the primary')
  await runScript('primary.sh', { PGDATA: primary.data, PGPASSWORD: PASSWORD, PDS_PASSWORD: PASSWORD })
  assert.match(
    await readFile(join(primary.data, 'pg_hba.conf'), 'utf8'),
    /^host replication replicator samenet/m,
  )

  const environment = {
    ...{ PGDATA: standby.data, PRIMARY: '127.0.0.1', PRIMARY_PORT: String(primary.port) },
    REPLICATION_PASSWORD: PASSWORD,
  }
  // Left by a copy that broke off.
  await mkdir(`${standby.data}.part`)
  await giveFolder(`${standby.data}.part`)
  await runScript('standby.sh', environment)
  const told = await readFile(join(folder, 'docker-entrypoint.sh.told'), 'utf8')
  assert.equal(told, 'postgres -cmax_connections=100\n')
  const following = await startServer(standby, { max_connections: 200 })
  t.after(() => following.end())

  const migrated = await pds(folder, ['migrate'], {
    environment: { DATABASE_URL: addressAt(hostOf(primary)) },
  })
  assert.equal(migrated.status, 0, migrated.stderr)
  const tables = () =>
    run<{ recovery: boolean }>(
      addressAt(hostOf(standby)),
      `select pg_is_in_recovery() as recovery where to_regclass('pds.releases') is not null`,
    ).catch(() => [])
  assert.deepEqual(await until(async () => (await tables())[0], 'the schema on the standby'), {
    recovery: true,
  })

  await t.test('a standby that is there is not made anew', async () => {
    const before = await readFile(join(standby.data, 'postgresql.auto.conf'), 'utf8')
    await runScript('standby.sh', { ...environment, PRIMARY: 'nowhere.invalid' })
    assert.equal(await readFile(join(standby.data, 'postgresql.auto.conf'), 'utf8'), before)
  })
})
