import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { oneOf, refused } from './address.ts'

/** False where connections are not encrypted. */
export type Tls = false | ConnectionOptions

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/**
 * Reads the parameters of TLS as libpq means them: `require` encrypts, and verifies where there is a root certificate;
 * `verify-ca` verifies who signed the server's certificate; `verify-full` its name as well.
 */
export function readTls(known: (name: string) => string | undefined): Tls {
  const mode = oneOf('sslmode', MODES, known('sslmode') ?? 'disable')
  if (mode === 'disable') return false
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map(name => readPem(name, known(name)))
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function readPem(name: string, path: string | undefined): Buffer | undefined {
  // libpq's word for the certificates that the system trusts, which are used where none is named.
  if (path === undefined || path === 'system') return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    throw refused(
      `${name} names a file that cannot be read (${error instanceof Error ? error.message : error})`,
    )
  }
}
