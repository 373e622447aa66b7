import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DCLinter } from 'dclint'
import { inject } from 'light-my-request'
import { pino } from 'pino'
import { buildAdmin } from '../src/app/admin.ts'
import { doubtfulVariables, fileVariable, readConfig, SETTINGS } from '../src/config.ts'
import { HTTP_LIMITS } from '../src/http/limits.ts'
import { readAddress } from '../src/store/postgres/connect/address.ts'
import { VERSION } from '../src/version.ts'
import { emptyFolder } from './support/folder.ts'
import { manifestFaults, manifestsOf } from './support/manifests.ts'
import { pds } from './support/pds.ts'

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
  'the unit': settingsOf('deploy/systemd/pds.service', /^#?Environment=([A-Z_]+)=(.*)$/gm),
  'the map of Kubernetes': settingsOf('deploy/kubernetes/kustomization.yaml', /^ +- ([A-Z][A-Z_]+)=(.*)$/gm),
}

/** The variables of deploy/ that name files, each with its path. */
const FILES = [
  ...found('deploy/kubernetes/kustomization.yaml', /- (\w+_FILE)=(.*)/g),
  ...['migrate-job', 'import-cronjob', 'backup-cronjob'].flatMap(name =>
    found(`deploy/kubernetes/${name}.yaml`, /- name: (\w+_FILE)\n +value: (.*)/g),
  ),
]

test('every file of Kubernetes that a variable names is a key of the secrets, with a value that is allowed', () => {
  const keys = new Map(
    found('deploy/kubernetes/addresses.example.yaml', /^ {2}#?([a-z-]+): (\w+:.*|whsec_.*)$/gm).map(
      ([key = '', value = '']) => [`/etc/pds/${key}`, value] as [string, string],
    ),
  )
  assert.equal(FILES.length, 7)
  for (const [variable = '', path = ''] of FILES) {
    const setting = variable.replace(/_FILE$/, '')
    assert.doesNotThrow(() => readConfig({ [setting]: keys.get(path) ?? assert.fail(path) }), variable)
  }
})

test('every variable that deploy/ sets is one of the service, with a value that is allowed', () => {
  for (const [where, given] of Object.entries(GIVEN)) {
    // The C library reads the last one.
    const names = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]
    const known = [...names, ...names.map(fileVariable), 'GLIBC_TUNABLES']
    assert.deepEqual(
      Object.keys(given).filter(name => !known.includes(name)),
      [],
      where,
    )
    const values = Object.entries(given).filter(([name]) => !name.endsWith('_FILE'))
    assert.doesNotThrow(() => readConfig(Object.fromEntries(values)), where)
    for (const [name, value] of Object.entries(given).filter(([each]) => each !== 'GLIBC_TUNABLES'))
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
const [[graceMs] = []] = found('src/app/shutdown.ts', /GRACE_MS = (\d+)/g)
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

test('the version is the same wherever it is told', () => {
  const manifests = ['', 'client/', 'mcp/', 'web/', 'demo/'].map(folder =>
    JSON.parse(read(`${folder}package.json`)),
  )
  const tags = found('deploy/kubernetes/kustomization.yaml', /newTag: (\S+)/g)
  assert.deepEqual(new Set([...manifests.map(({ version }) => version), ...tags.flat()]), new Set([VERSION]))
})

test('the image has a supported and tested version of Node', () => {
  const [[version = ''] = []] = found('deploy/Dockerfile', /^ARG NODE=([\d.]+)$/gm)
  assert.ok(read('.ci/run').includes(version), `${version} is not tested by .ci/run`)
  assert.ok(version.startsWith(`${read('.nvmrc').trim()}.`), '.nvmrc has the same')
  const { engines } = JSON.parse(read('package.json'))
  assert.ok(allows(engines.node, version))
  for (const old of ['22.12.9', '21.0.0', '20.18.0', '18.20.0']) assert.ok(!allows(engines.node, old), old)
})

test('the image is built with the registries of images and packages alone, and does not run as root', () => {
  const commands = found('deploy/Dockerfile', /^RUN (.*)$/gm).flatMap(([line = '']) => line.split(' && '))
  assert.deepEqual([...new Set(commands.map(command => command.split(' ')[0]))], ['npm', 'rm', 'install'])
  assert.doesNotMatch(read('deploy/Dockerfile'), /^ADD|^# syntax/m)
  const [[user] = []] = found('deploy/Dockerfile', /^USER (\d+):\d+$/gm)
  assert.notEqual(Number(user), 0)
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
    ...{ metrics: async () => '', readiness: () => state, sources: () => [], baseUrl: () => '' },
    ...{ journals: () => [], token: undefined },
    log: pino({ level: 'silent' }),
  })

async function listeningAdmin(t: TestContext): Promise<string> {
  const admin = makeAdmin({} as never)
  t.after(() => admin.close())
  return new URL(await admin.listen({ host: '127.0.0.1', port: 0 })).port
}

test('the manifests fit the schemas of Kubernetes, and a misspelt field would not', () => {
  const files = readdirSync(join(ROOT, 'deploy/kubernetes')).filter(name => name !== 'kustomization.yaml')
  const manifests = files.flatMap(name => manifestsOf(read(`deploy/kubernetes/${name}`)))
  assert.ok(manifests.length > files.length)
  const wrong = { apiVersion: 'batch/v1', kind: 'Job', spec: { backofLimit: 5 } }
  const [fault = '', ...others] = manifestFaults([...manifests, wrong])
  assert.deepEqual(others, [])
  assert.match(fault, /backofLimit.* does not exist/)
})

/** As much of a result of the linter as the test reads. Its own types are not found by the resolution of Node. */
interface Linted {
  readonly messages: readonly { readonly rule: string; readonly message: string }[]
}

test('compose.yaml fits the schema of Compose, and a misspelt key would not', async t => {
  const path = join(await emptyFolder(t), 'compose.yaml')
  await writeFile(path, read('deploy/compose.yaml').replaceAll('stop_signal', 'stopsignal'))
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  const lint = (file: string): Linted[] => linter.lintFiles([file], false)
  const faults = [join(ROOT, 'deploy/compose.yaml'), path].map(file =>
    lint(file)
      .flatMap(({ messages }) => messages)
      // Its other rules are about style.
      .filter(({ rule }) => /^(invalid|unknown)-/.test(rule))
      .map(({ message }) => message),
  )
  assert.deepEqual(faults[0], [])
  assert.match(String(faults[1]), /must NOT have additional properties/)
})

test('the job of backups leaves a verified backup with the name of the day, and removes those of weeks ago', async t => {
  const [, job] = manifestsOf(read('deploy/kubernetes/backup-cronjob.yaml')) as unknown as [unknown, Job]
  const [container] = job.spec.jobTemplate.spec.template.spec.containers
  const [program = '', flags = '', script = ''] = container?.command ?? []
  const folder = await emptyFolder(t)
  const backups = join(folder, 'backups')
  const store = { DATABASE_URL: `sqlite:${join(folder, 'data')}` }
  const toilets = join(ROOT, 'docs/examples/toilets.csv')
  assert.equal((await pds(folder, ['import', 'toilets', toilets], { environment: store })).status, 0)
  await mkdir(backups)
  const old = join(backups, 'pds-2020-01-01.gz')
  await writeFile(old, '')
  await utimes(old, 0, 0)
  const here = script.replaceAll('/app/bin/pds', join(ROOT, 'bin/pds'))
  assert.notEqual(here, script)
  const environment = { PATH: process.env.PATH ?? '', BACKUPS: backups }
  const run = (settings: Record<string, string>) =>
    spawnSync(program, [flags, here], { env: { ...environment, ...settings }, encoding: 'utf8' })
  const failed = run({ DATABASE_URL: 'sqlite:/missing' })
  assert.notEqual(failed.status, 0)
  assert.deepEqual(readdirSync(backups), ['new.part', 'pds-2020-01-01.gz'])
  const done = run(store)
  assert.equal(done.status, 0, done.stderr)
  const [name = '', ...others] = readdirSync(backups)
  assert.match(name, /^pds-\d{4}-\d\d-\d\d\.gz$/)
  assert.deepEqual(others, [])
  assert.equal((await pds(folder, ['backup', '--verify', join(backups, name)])).status, 0)
})

/** As much of a CronJob as the test reads. */
interface Job {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: { readonly spec: { readonly containers: { readonly command: string[] }[] } }
      }
    }
  }
}

test('the image and the kustomization have the version of the service', () => {
  const { version } = JSON.parse(read('package.json'))
  assert.deepEqual(found('deploy/Dockerfile', /image\.version="(.*)"/g), [[version]])
  assert.deepEqual(found('deploy/kubernetes/kustomization.yaml', /newTag: (.*)/g), [[version]])
})

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

test('the kustomization of the how-to gives pods the files, settings and image that it names', {
  skip: NO_KUBECTL,
}, async t => {
  const guide = read('docs/how-to/run-on-kubernetes.md')
  const [, block = assert.fail('no block')] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? []
  const folder = await emptyFolder(t)
  const base = join(folder, 'public-data-service/deploy/kubernetes')
  await cp(join(ROOT, 'deploy/kubernetes'), base, { recursive: true })
  await cp(join(base, 'ingress.example.yaml'), join(folder, 'ingress.yaml'))
  await writeFile(join(folder, 'metadata.json'), '{}')
  await writeFile(join(folder, 'kustomization.yaml'), block.replaceAll('newName: registry', 'newName: mine'))
  const made = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  assert.deepEqual(manifestFaults(manifestsOf(made)), [])
  const [, map = ''] = /^ {2}metadata\.json: [\s\S]*?^ {2}name: (files-\w+)$/m.exec(made) ?? []
  assert.ok(map !== '' && made.includes(`name: ${map}\n              optional: true`), made)
  const images = [...made.matchAll(/image: (\S+public-data-service):/g)].map(([, name]) => name)
  assert.equal(images.length, 4)
  assert.ok(images.every(name => name === 'mine.example.org/public-data-service'))
  const [, data = ''] = /^data:\n((?: {2}[A-Z].*\n)+)/m.exec(made) ?? []
  const given = Object.fromEntries(
    [...data.matchAll(/^ {2}(\w+): "?(.*?)"?$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  assert.deepEqual(doubtfulVariables(given), [])
  assert.deepEqual([given.METADATA, given.REDIS_URL_FILE], ['/etc/pds/metadata.json', ''])
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
