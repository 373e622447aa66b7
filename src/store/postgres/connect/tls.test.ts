import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { run } from '../../../../test/support/postgres-server.ts'
import { until } from '../../../../test/support/until.ts'
import { openStore } from '../../open-store.ts'

/* A process of its own: it changes the settings of the process's PostgreSQL server. */

const skip =
  postgresFolder() === undefined
    ? NO_POSTGRES
    : !runs('openssl', 'version') && 'no openssl here: `apt-get install openssl`'
const options = { skip }

let folder: string
let address: string

before(async () => {
  if (skip !== false) return
  const { emptyDatabase, giveFolder } = await cluster()
  folder = await mkdtemp(join(tmpdir(), 'pds-tls-'))
  makeCertificates(folder)
  await giveFolder(folder)
  for (const name of ['server', 'elsewhere']) await giveFolder(`${join(folder, name)}.key`)
  address = await emptyDatabase()
})

after(() => skip === false && rm(folder, { recursive: true, force: true }))

function runs(command: string, ...words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** An authority with its certificates for 127.0.0.1 and for another name, and an authority that signed nothing. */
function makeCertificates(cwd: string): void {
  const make = (name: string, ...words: string[]) => {
    const fixed = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`]
    execFileSync('openssl', [...fixed, ...files, ...words], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const signed = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-addext', 'basicConstraints=CA:FALSE']
  make('authority')
  make('stranger')
  make('server', ...signed, '-addext', 'subjectAltName=IP:127.0.0.1')
  make('elsewhere', ...signed, '-addext', 'subjectAltName=DNS:localhost,DNS:elsewhere.example')
}

/** Sets the certificate that the server presents to new connections. */
async function show(name: string): Promise<void> {
  for (const statement of [
    `alter system set ssl_cert_file = '${join(folder, name)}.crt'`,
    `alter system set ssl_key_file = '${join(folder, name)}.key'`,
    "alter system set ssl = 'on'",
    'select pg_reload_conf()',
  ])
    await run(address, statement)
  const file = `${join(folder, name)}.crt`
  await until(
    async () =>
      (await run<{ ssl_cert_file: string }>(address, 'show ssl_cert_file'))[0]?.ssl_cert_file === file,
    'the certificate',
  )
}

const at = (parameters: string) => `${address}?${parameters}`
const authority = () => `sslrootcert=${join(folder, 'authority.crt')}`

const isRefused = (parameters: string, message: RegExp) =>
  assert.rejects(openStore(at(parameters)), { name: 'StoreUnusableError', message })

test('a server without TLS is not used in plain text if TLS is required', options, async () => {
  await isRefused('sslmode=require', /does not offer TLS: set it up there, or leave sslmode out/)
})

test('TLS is used if configured, and the certificate is verified as configured', options, async () => {
  await show('server')
  const isEncrypted =
    "select bool_and(ssl) as all from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'pds'"
  for (const parameters of [
    'sslmode=require',
    `sslmode=verify-ca&${authority()}`,
    `sslmode=verify-full&${authority()}`,
  ]) {
    const store = await openStore(at(parameters))
    assert.equal(await store.releases.revision(), 0, parameters)
    assert.equal((await run<{ all: boolean }>(address, isEncrypted))[0]?.all, true, parameters)
    await store.close()
  }
  await (await openStore(at('sslmode=disable'))).close()
})

test('a certificate that nobody known has signed is refused', options, async () => {
  await show('server')
  const stranger = `sslrootcert=${join(folder, 'stranger.crt')}`
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    await isRefused(`sslmode=${mode}&${stranger}`, /a certificate that cannot be verified: check sslmode/)
  await isRefused('sslmode=verify-full&sslrootcert=system', /a certificate that cannot be verified/)
})

test('a certificate of another server is refused by verify-full alone', options, async () => {
  await show('elsewhere')
  await (await openStore(at(`sslmode=verify-ca&${authority()}`))).close()
  await isRefused(`sslmode=verify-full&${authority()}`, /a certificate that cannot be verified/)
})
