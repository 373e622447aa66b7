import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { startHttpProgram } from './http-program.ts'
import { installedProgram } from './programs.ts'
import type { Certificate, TlsEdge } from './tls-edge.ts'

const BINARY = installedProgram('nginx')

/** Why tests that need nginx are skipped; false where they need not be. */
export const NO_NGINX: string | false = BINARY === undefined && 'no nginx here: `apt-get install nginx-light`'

const COMMITTED = fileURLToPath(new URL('../../deploy/nginx', import.meta.url))

/**
 * Starts nginx with the committed configuration in front of instances, named by host and port, and gives its address. Only
 * the two files that say where it listens and where the instances are have other addresses in them. It ends with the test.
 * What it stores is in `run/cache` of the folder, which must be empty.
 */
export async function startNginx(
  t: TestContext,
  instances: readonly string[],
  folder?: string,
): Promise<string> {
  folder ??= await emptyFolder(t)
  await cp(COMMITTED, folder, { recursive: true })
  const port = await freePort()
  await change(folder, 'listen.conf', /^listen 8080;$/gm, () => `listen 127.0.0.1:${port};`)
  return begin(t, folder, instances, port)
}

/** Starts nginx with the committed configuration for TLS in front of an instance. */
export async function startNginxWithTls(
  t: TestContext,
  instance: string,
  { certificate, key }: Certificate,
): Promise<TlsEdge> {
  const folder = await emptyFolder(t)
  await cp(COMMITTED, folder, { recursive: true })
  await cp(join(COMMITTED, 'tls'), folder, { recursive: true })
  const [port, tlsPort] = [await freePort(), await freePort()]
  const listens = (match: string) =>
    match.replace(/\[::\]:\d+|\d+/, bound(match.includes('443') ? tlsPort : port))
  const bound = (number: number) => `127.0.0.1:${number}`
  // The addresses of IPv6 would have equal ports.
  for (const file of ['listen.conf', 'redirect.conf']) {
    await change(folder, file, /^ *listen \[::\].*\n/gm, () => '')
    await change(folder, file, /^ *listen \d+/gm, listens)
  }
  await change(folder, 'listen.conf', /\/etc\S+fullchain\.pem/g, () => certificate)
  await change(folder, 'listen.conf', /\/etc\S+privkey\.pem/g, () => key)
  const plain = await begin(t, folder, [instance, instance], port)
  return { plain, secure: `https://127.0.0.1:${tlsPort}` }
}

async function begin(t: TestContext, folder: string, instances: readonly string[], port: number) {
  await mkdir(join(folder, 'run'))
  const left = [...instances]
  await change(folder, 'upstreams.conf', /pds-\d:8080/g, () => left.shift() ?? '')
  const globals = `daemon off; user ${userInfo().username};`
  const url = `http://127.0.0.1:${port}`
  const words = [BINARY ?? '', '-p', folder, '-c', 'nginx.conf', '-g', globals]
  await startHttpProgram(t, words, `${url}/nothing`, { prefer: 'wait=0' })
  return url
}

async function change(
  folder: string,
  file: string,
  what: RegExp,
  to: (match: string) => string,
): Promise<void> {
  const path = join(folder, file)
  const committed = await readFile(path, 'utf8')
  const changed = committed.replace(what, to)
  if (changed === committed) throw new Error(`${file} has nothing of ${what}`)
  await writeFile(path, changed)
}
