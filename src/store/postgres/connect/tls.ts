import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { oneOf, refused } from './address.ts'

/** False where connections are not encrypted. */
export type Tls = false | ConnectionOptions

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/**
 * Parses the TLS parameters as libpq does: `require` encrypts, and verifies if there is a root certificate; `verify-ca`
 * verifies the issuer of the server's certificate; `verify-full` its name as well.
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
  // libpq's keyword for the system's trusted certificates, which are used if none is named.
  if (path === undefined || path === 'system') return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    throw refused(
      `${name} names a file that cannot be read (${error instanceof Error ? error.message : error})`,
    )
  }
}
