import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { pds, startPds } from '../support/pds.ts'
import { copyTrackedFiles, ROOT } from '../support/tracked-files.ts'
import { until } from '../support/until.ts'

/* What an operator may get wrong at a start, and the first thing that the README has them do. */

test('workers start with values from files; a secret for all to read and a misspelt variable are named', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'store'), 'sqlite:./s3cret\n', { mode: 0o644 })
  await writeFile(join(folder, 'workers'), '2\n')
  const files = { DATABASE_URL_FILE: 'store', WORKERS: '', WORKERS_FILE: 'workers' }
  const environment = { VEHICLES_RATELIMIT: '5', PORT: '0', ADMIN_PORT: '0', ...files }
  const child = startPds(folder, ['serve'], environment)
  const gone = once(child, 'close')
  let log = ''
  child.stdout.on('data', chunk => {
    log += chunk
  })
  await until(() => log.includes('"workers":2,"msg":"listening"'), 'both workers listening')
  child.kill('SIGINT')
  await gone
  assert.ok(existsSync(join(folder, 's3cret')))
  const warnings = log.split('\n').filter(line => line.includes('"level":40') && !line.includes('is empty'))
  const wanted = [
    /"msg":"VEHICLES_RATELIMIT is not .*: if VEHICLES_RATE_LIMIT is meant, rename it"/,
    /"msg":"DATABASE_URL_FILE names store, which every user of this machine can read: .*chmod 400/,
  ]
  assert.equal(warnings.length, wanted.length, log)
  for (const [at, warning] of warnings.entries()) assert.match(warning, wanted[at] ?? /$^/)
})

test('equal ports, and a port in use, are told in one line before a store is made', async t => {
  const folder = await emptyFolder(t)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const port = String((server.address() as AddressInfo).port)
  const attempt = (environment: Record<string, string>) => pds(folder, ['serve'], { environment })
  const equal = await attempt({ PORT: '8123', ADMIN_PORT: '8123' })
  assert.equal(equal.status, 2)
  assert.match(equal.stderr, /^error: ADMIN_PORT is 8123, and so is PORT: set one of them to another.*\n$/)
  for (const variable of ['PORT', 'ADMIN_PORT']) {
    const used = await attempt({ PORT: '0', ADMIN_PORT: '0', [variable]: port })
    const line = `error: ${variable} ${port} is in use: set ${variable} to another\n`
    assert.deepEqual([used.status, used.stderr, used.stdout], [1, line, ''])
  }
  assert.equal(existsSync(join(folder, 'data')), false)
})

test('a store where none can be made ends at once with one line that names the variable', async t => {
  const folder = await emptyFolder(t)
  for (const address of ['sqlite:/proc/x', 'sqlite:/proc/1/x/y', 'sqlite:/dev/null/x']) {
    const environment = { DATABASE_URL: address, PORT: '0', ADMIN_PORT: '0' }
    const { status, stderr } = await pds(folder, ['serve'], { environment })
    assert.equal(status, 1)
    assert.match(stderr, /^error: \/(proc|dev)\/.* set DATABASE_URL to another.*\n$/)
  }
})

test('a first import that is refused, or a dry run, publishes nothing, and the journal tells of the refusal', async t => {
  const folder = await emptyFolder(t)
  const environment = { DATABASE_URL: 'sqlite:./a/b' }
  const attempt = (words: string[], input: string) =>
    pds(folder, ['import', 'toilets', '-', ...words], { input, environment })
  const toilets = 'name,parish,latitude,longitude\nSteps,St. Helier,49.17,-2.1\n'
  assert.equal((await attempt([], 'nothing')).status, 1)
  assert.equal((await attempt(['--dry-run'], toilets)).status, 0)
  const journal = JSON.parse((await pds(folder, ['journal', 'toilets', '--json'], { environment })).stdout)
  assert.deepEqual(
    journal.map(({ event }: { event: string }) => event),
    ['refused'],
  )
  assert.equal((await pds(folder, ['export', 'toilets'], { environment })).status, 1)
  assert.equal((await attempt([], toilets)).status, 0)
  assert.equal((await attempt([], 'nothing')).status, 1)
  assert.equal((await pds(folder, ['export', 'toilets'], { environment })).status, 0)
})

test('"Publish your own data" of the README works as pasted in a fresh clone', async t => {
  const folder = await emptyFolder(t)
  await copyTrackedFiles(folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').split('## Publish your own data\n')[1] ?? ''
  const [, block = assert.fail('no block')] = /```sh\n([\s\S]*?)```/.exec(readme) ?? []
  // The last command serves, in place of the shell: so the signal reaches it.
  const commands = block.trimEnd().replace(/\n(.*)$/, '\nexec env $1')
  const child = spawn('sh', ['-e', '-c', commands], { cwd: folder, env: { PATH: process.env.PATH ?? '' } })
  const gone = once(child, 'close')
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const url = await until(
    () => {
      assert.equal(child.exitCode, null, output)
      return /"url":"([^"]+)"/.exec(output)?.[1]
    },
    'the service listening',
    240_000,
  )
  const response = await fetch(`${url}/v1/toilets`)
  const { results } = (await response.json()) as { results: { name: string }[] }
  assert.deepEqual(results.map(({ name }) => name).sort(), ['Bouley Bay', 'Grève de Lecq', 'Harbour Steps'])
  child.kill('SIGINT')
  await gone
})
