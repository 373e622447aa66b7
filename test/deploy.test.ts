import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inject } from 'light-my-request'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { buildAdmin } from '../src/app/admin.ts'
import { readConfig, SETTINGS } from '../src/config.ts'
import { HTTP_LIMITS } from '../src/http/limits.ts'
import { readAddress } from '../src/store/postgres/connect/address.ts'

/*
 * Holds deploy/ to the code: names of variables, ports, paths, times and versions.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** All groups of a pattern that occurs, one list of groups an occurrence; fails where it does not. */
function found(path: string, pattern: RegExp): string[][] {
  const matches = [...read(path).matchAll(pattern)].map(([, ...groups]) => groups)
  assert.notEqual(matches.length, 0, `${path}: ${pattern}`)
  return matches
}

/** The settings that a file of deploy/ gives the service, with what stands in for an operator's own words. */
function settingsOf(path: string, pattern: RegExp): Record<string, string> {
  const spoken = (value: string) =>
    value.replace(/\$\{\w+(?::-([^}]*)|:\?)\}/g, (_, usual: string | undefined) => usual ?? 'secret')
  return Object.fromEntries(found(path, pattern).map(([name = '', value = '']) => [name, spoken(value)]))
}

const YAML = /^ +([A-Z][A-Z_]+): (.*)$/gm
const GIVEN: Record<string, Record<string, string>> = {
  compose: {
    ...Object.fromEntries(
      Object.entries(settingsOf('deploy/compose.yaml', YAML)).filter(
        // PostgreSQL's image has variables of its own.
        ([name]) =>
          !['PGDATA', 'POSTGRES_PASSWORD', 'PDS_PASSWORD', 'PRIMARY', 'REPLICATION_PASSWORD'].includes(name),
      ),
    ),
  },
  'the image': settingsOf('deploy/Dockerfile', /(?<=^ENV .*)\b([A-Z_]+)=(\S+)/gm),
  'the unit': settingsOf('deploy/systemd/pds.service', /^Environment=([A-Z_]+)=(.*)$/gm),
  'the map of Kubernetes': settingsOf('deploy/kubernetes/kustomization.yaml', /^ +- ([A-Z][A-Z_]+)=(.*)$/gm),
  'the secret of Kubernetes': settingsOf('deploy/kubernetes/addresses.example.yaml', YAML),
}

test('every variable that deploy/ sets is one of the service, with a value that is allowed', () => {
  for (const [where, given] of Object.entries(GIVEN)) {
    const known: string[] = Object.keys(SETTINGS)
    assert.deepEqual(
      Object.keys(given).filter(name => !known.includes(name)),
      [],
      where,
    )
    assert.doesNotThrow(() => readConfig(given), where)
    for (const [name, value] of Object.entries(given))
      if (value.startsWith('postgres:'))
        assert.doesNotThrow(() => readAddress(value.slice('postgres:'.length)), `${where}: ${name}`)
  }
})

test('ports are those of the service, and the admin port is published nowhere', () => {
  const [publicPort, adminPort] = [String(SETTINGS.PORT.default), String(SETTINGS.ADMIN_PORT.default)]
  const { compose = {} } = GIVEN
  assert.deepEqual([compose.PORT, compose.ADMIN_PORT], [publicPort, adminPort])
  assert.deepEqual(found('deploy/Dockerfile', /^EXPOSE (.*)$/gm), [[publicPort]])
  assert.deepEqual(found('deploy/kubernetes/deployment.yaml', /- name: (\w+)\n +containerPort: (\d+)/g), [
    ['http', publicPort],
    ['admin', adminPort],
  ])
  assert.deepEqual(found('deploy/kubernetes/service.yaml', /targetPort: (\w+)/g), [['http']])
  for (const [port] of found('deploy/nginx/upstreams.conf', /server [\w-]+:(\d+)/g))
    assert.equal(port, publicPort)
  const [[listens] = []] = found('deploy/nginx/listen.conf', /^listen (\d+);/gm)
  assert.deepEqual(found('deploy/compose.yaml', /^ +ports: \["[^"]+:(\d+)"\]$/gm), [[listens]])
})

/** Seconds from a signal to the end of the process at most, and while it still takes newcomers. */
const [[graceMs] = []] = found('src/app/server.ts', /GRACE_MS = (\d+)/g)
const GRACE_S = Number(graceMs) / 1000

test('every supervisor waits longer than a shutdown takes', () => {
  const [[preStop] = []] = found('deploy/kubernetes/deployment.yaml', /sleep:\n +seconds: (\d+)/g)
  const [[termination] = []] = found(
    'deploy/kubernetes/deployment.yaml',
    /terminationGracePeriodSeconds: (\d+)/g,
  )
  assert.ok(Number(termination) > Number(preStop) + GRACE_S)
  const [[unit] = []] = found('deploy/systemd/pds.service', /^TimeoutStopSec=(\d+)s$/gm)
  assert.ok(Number(unit) > GRACE_S)
  for (const [seconds] of found('deploy/compose.yaml', /stop_grace_period: (\d+)s/g))
    assert.ok(Number(seconds) > GRACE_S)
})

test('the admin listener serves the paths that probes use', async t => {
  const ready = { ready: true, missing: [], live: {} } as never
  const admin = makeAdmin(ready)
  t.after(() => admin.close())
  const paths = [
    ...found('deploy/kubernetes/deployment.yaml', /^ +path: (\S+)$/gm),
    ...found('deploy/healthcheck.mjs', /\$\{port\}(\/\w+)/g),
  ]
  assert.equal(paths.length, 3)
  for (const [path] of paths) assert.equal((await inject(admin.handle, path ?? '')).statusCode, 200, path)
})

test('nginx closes idle connections before the service does, and accepts no larger requests', () => {
  const [[idle] = []] = found('deploy/nginx/upstreams.conf', /^ +keepalive_timeout (\d+)s;$/gm)
  assert.ok(Number(idle) * 1000 < HTTP_LIMITS.keepAliveTimeout)
  const [[kilobytes] = []] = found('deploy/nginx/nginx.conf', /large_client_header_buffers \d+ (\d+)k;/g)
  assert.ok(Number(kilobytes) * 1024 <= HTTP_LIMITS.maxHeaderSize)
})

/** Whether a version is one of those that a range of the two kinds in package.json allows. */
function allows(range: string, version: string): boolean {
  const numbers = (text: string) => text.split('.').map(Number)
  return range.split('||').some(part => {
    const [, sign, least = ''] =
      /^(\^|>=)([\d.]+)$/.exec(part.trim()) ?? assert.fail(`an unknown range: ${part}`)
    const [wanted, given] = [numbers(least), numbers(version)]
    const differs = wanted.findIndex((number, place) => number !== given[place])
    const isLater = differs < 0 || Number(given[differs]) > Number(wanted[differs])
    return isLater && (sign === '>=' || given[0] === wanted[0])
  })
}

test('the image has a supported and tested version of Node', () => {
  const [[version = ''] = []] = found('deploy/Dockerfile', /^ARG NODE=([\d.]+)$/gm)
  assert.ok(read('.ci/run').includes(version), `${version} is not tested by .ci/run`)
  const { engines } = JSON.parse(read('package.json'))
  assert.ok(allows(engines.node, version))
  for (const old of ['22.12.9', '21.0.0', '20.18.0', '18.20.0']) assert.ok(!allows(engines.node, old), old)
})

test('the files that the image is built from exist, and .dockerignore includes them', () => {
  const copied = found('deploy/Dockerfile', /^COPY (?!--from)(.+) \S+$/gm).flatMap(([sources = '']) =>
    sources.split(' '),
  )
  const passing = read('.dockerignore')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1))
  for (const source of copied) {
    assert.ok(existsSync(join(ROOT, source)), source)
    assert.ok(passing.includes(source), `${source} in .dockerignore`)
  }
  assert.ok(read('.dockerignore').split('\n').includes('*'))
})

test('the files that compose.yaml mounts exist', () => {
  for (const [path = ''] of found('deploy/compose.yaml', /^ +- (\.\/[^:]+):/gm))
    assert.ok(existsSync(join(ROOT, 'deploy', path)), path)
})

test('the health check ends with 0 while the service lives, and with 1 otherwise', async t => {
  const admin = await listeningAdmin(t)
  const check = async (port: string) => {
    const child = spawn(process.execPath, [join(ROOT, 'deploy/healthcheck.mjs')], {
      env: { ADMIN_PORT: port },
    })
    const [status] = await once(child, 'exit')
    return status
  }
  assert.equal(await check(admin), 0)
  assert.equal(await check('1'), 1)
})

const makeAdmin = (state: never) =>
  buildAdmin({
    ...{ registry: new Registry(), readiness: () => state, sources: () => [], baseUrl: () => '' },
    log: pino({ level: 'silent' }),
  })

async function listeningAdmin(t: TestContext): Promise<string> {
  const admin = makeAdmin({} as never)
  t.after(() => admin.close())
  return new URL(await admin.listen({ host: '127.0.0.1', port: 0 })).port
}

const NO_KUBECTL = spawnSync('kubectl', ['version', '--client']).status !== 0 && 'no kubectl here'

test('the kustomization lists every file of the folder except the examples', {
  skip: NO_KUBECTL,
}, () => {
  const made = execFileSync('kubectl', ['kustomize', join(ROOT, 'deploy/kubernetes')], { encoding: 'utf8' })
  const kinds = (text: string) => [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind)
  const files = readdirSync(join(ROOT, 'deploy/kubernetes')).filter(
    name => !/^kustomization|\.example\./.test(name),
  )
  const wanted = files.flatMap(name => kinds(read(`deploy/kubernetes/${name}`)))
  assert.deepEqual(kinds(made).sort(), [...wanted, 'ConfigMap'].sort())
  assert.doesNotMatch(made, /image: public-data-service$/m)
})

test('deploy/README.md names the files of the folder', () => {
  const named = read('deploy/README.md')
  const there = readdirSync(join(ROOT, 'deploy'), { withFileTypes: true })
    .map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter(name => name !== 'README.md')
  assert.deepEqual(
    there.filter(name => !named.includes(`\`${name}\``)),
    [],
  )
})
