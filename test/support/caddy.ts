import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { startHttpProgram } from './http-program.ts'
import { installedProgram } from './programs.ts'
import { type Certificate, SITE, type TlsEdge } from './tls-edge.ts'

const BINARY = installedProgram('caddy')

/** Why tests that need Caddy are skipped; false where they need not be. */
export const NO_CADDY: string | false = BINARY === undefined && 'no Caddy here: `apt-get install caddy`'

const COMMITTED = fileURLToPath(new URL('../../deploy/Caddyfile', import.meta.url))

/** Starts Caddy with the committed configuration in front of an instance, named by host and port. It ends with the test. */
export async function startCaddy(
  t: TestContext,
  instance: string,
  { certificate, key }: Certificate,
): Promise<TlsEdge> {
  const folder = await emptyFolder(t)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const environment = {
    SITE,
    INSTANCES: instance,
    HTTP_PORT: String(port),
    HTTPS_PORT: String(tlsPort),
    ADMIN: 'off',
    TLS: `tls ${certificate} ${key}\nbind 127.0.0.1`,
    HOME: folder,
  }
  const plain = `http://127.0.0.1:${port}`
  await startHttpProgram(t, [BINARY ?? '', 'run', '--config', COMMITTED], plain, {}, environment)
  return { plain, secure: `https://127.0.0.1:${tlsPort}` }
}
