import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const IS_LEFT_OUT = process.env.PDS_TEST_POSTGRES === 'false'

/** What to do where there is no PostgreSQL. */
export const NO_POSTGRES = IS_LEFT_OUT
  ? 'PostgreSQL is left out; `npm run test:postgres` runs it'
  : 'PostgreSQL is not here: `apt-get install postgresql`, or name the folder of initdb and postgres in POSTGRES_BIN' +
    ' (for root, a user "postgres" as well)'

/** The folder of PostgreSQL's programs: the environment's choice, else the newest of Debian's, else of the path. */
export function postgresFolder(): string | undefined {
  if (IS_LEFT_OUT || serverUser() === undefined) return undefined
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [
    process.env.POSTGRES_BIN ?? '',
    ...versions.map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ].find(folder => folder !== '' && ['initdb', 'postgres'].every(name => existsSync(join(folder, name))))
}

/** Who runs the server; empty where that is who runs the tests. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root: the user that it runs as instead, if there is one. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}
