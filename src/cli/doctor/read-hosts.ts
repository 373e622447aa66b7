import type { Config } from '../../config.ts'
import type { ReadHost } from '../../store/engine.ts'
import { checkReadHosts as stateOfReadHosts } from '../../store/open-store.ts'
import { StoreUnusableError } from '../../store/store.ts'
import { size } from '../words.ts'
import { type Check, fail, ok, warn } from './check.ts'

const SUBJECT = 'read hosts'
/** More than a newly published release causes. */
const MUCH_BYTES = 2 ** 30

/** Checks the servers that releases are read from. */
export async function checkReadHosts({
  DATABASE_URL,
  DATABASE_READ_URL,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL'>): Promise<Check[]> {
  if (DATABASE_READ_URL === undefined) return []
  try {
    return (await stateOfReadHosts(DATABASE_URL, DATABASE_READ_URL)).map(found)
  } catch (error) {
    if (!(error instanceof StoreUnusableError)) throw error
    return [fail(SUBJECT, error.message, 'set DATABASE_READ_URL to what it is to be, or unset it')]
  }
}

function found(host: ReadHost): Check {
  if ('failure' in host)
    return warn(
      SUBJECT,
      host.failure,
      'see to the server; until then the others and the primary are read from',
    )
  const { bytesBehind, isStandby } = host
  const what = `${host.host} answers, ${isStandby ? 'a standby' : 'no standby'}`
  if (bytesBehind === undefined) return ok(SUBJECT, what)
  if (bytesBehind < MUCH_BYTES)
    return ok(SUBJECT, `${what}, ${bytesBehind === 0 ? 'not' : size(bytesBehind)} behind`)
  return warn(
    SUBJECT,
    `${what}, ${size(bytesBehind)} behind`,
    'see to its replication: until it has a release the primary is read from',
  )
}
