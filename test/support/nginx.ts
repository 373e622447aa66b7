import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { installedProgram } from './programs.ts'
import { until } from './until.ts'

const BINARY = installedProgram('nginx')

/** Why tests that need nginx are skipped; false where they need not be. */
export const NO_NGINX: string | false = BINARY === undefined && 'no nginx here: `apt-get install nginx-light`'

const COMMITTED = fileURLToPath(new URL('../../deploy/nginx', import.meta.url))

/**
 * Starts nginx with the committed configuration in front of instances, named by host and port, and gives its address. Only
 * the two files that say where it listens and where the instances are have other addresses in them. It ends with the test.
 */
export async function startNginx(t: TestContext, instances: readonly string[]): Promise<string> {
  const folder = await emptyFolder(t)
  await cp(COMMITTED, folder, { recursive: true })
  await mkdir(join(folder, 'run'))
  const port = await freePort()
  await change(folder, 'listen.conf', /^listen 8080;$/gm, () => `listen 127.0.0.1:${port};`)
  const left = [...instances]
  await change(folder, 'upstreams.conf', /pds-\d:8080/g, () => left.shift() ?? '')
  const globals = `daemon off; user ${userInfo().username};`
  const child = spawn(BINARY ?? '', ['-p', folder, '-c', 'nginx.conf', '-g', globals], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = text(child.stderr)
  const gone = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await gone
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${await errors}`)
    return fetch(`${url}/nothing`, { headers: { prefer: 'wait=0' } }).then(
      () => true,
      () => false,
    )
  }, 'nginx answering')
  return url
}

async function change(folder: string, file: string, what: RegExp, to: () => string): Promise<void> {
  const path = join(folder, file)
  const committed = await readFile(path, 'utf8')
  const changed = committed.replace(what, to)
  if (changed === committed) throw new Error(`${file} has nothing of ${what}`)
  await writeFile(path, changed)
}
