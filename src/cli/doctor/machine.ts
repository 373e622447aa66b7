import type { Config } from '../../config.ts'
import { DRIVER, loadDriver } from '../../store/sqlite/driver.ts'
import { messageOf } from '../../values/system/error-code.ts'
import { equalPorts, explainListening, listeningError } from '../listening.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Checks the version of Node and the SQLite driver. */
export const checkRuntime = (): Check[] => [checkNode(), checkDriver()]

/** The versions that package.json's `engines` allows. */
function checkNode(): Check {
  const version = process.versions.node
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const supported = major === 20 ? minor >= 19 : major === 22 ? minor >= 13 : major > 22
  if (!supported) return fail('node', `${version} is not supported`, 'install Node 24 or 26')
  if (major > 20) return ok('node', version)
  return warn(
    'node',
    `${version} works, but Node 20 gets no security fixes since 30 April 2026`,
    'install Node 24 or 26',
  )
}

function checkDriver(): Check {
  try {
    loadDriver()
    return ok('sqlite driver', DRIVER)
  } catch {
    return fail(
      'sqlite driver',
      `${DRIVER} does not load`,
      'run `npm ci` again on this machine, or use Node 24',
    )
  }
}

/** Tries to listen on both ports. A port in use is only a warning: the service itself may be running. */
export async function checkPorts(config: Config): Promise<Check[]> {
  return [await checkPort('PORT', config), await checkPort('ADMIN_PORT', config)]
}

async function checkPort(variable: 'PORT' | 'ADMIN_PORT', config: Config): Promise<Check> {
  const port = config[variable]
  const subject = `${variable} ${port}`
  if (variable === 'ADMIN_PORT' && port === 0) return ok(subject, 'off')
  const equal = variable === 'ADMIN_PORT' ? equalPorts(config) : undefined
  if (equal !== undefined) return fail(subject, 'is that of PORT', 'set one of them to another')
  const error = await listeningError(config.HOST, port)
  if (error === undefined) return ok(subject, port === 0 ? 'a free port is used' : 'free')
  if (error.code === 'EADDRINUSE')
    return warn(
      subject,
      'in use',
      `fine if this service is already running; otherwise set ${variable} to another`,
    )
  const explained = explainListening(error, config)
  return fail(subject, messageOf(explained), `set HOST and ${variable} to what this machine has`)
}
