import type { Config } from '../../config.ts'
import { explainListening, listeningError } from '../listening.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Tries to listen on both ports. One in use is a warning: the service itself may be running. */
export async function checkPorts(config: Config): Promise<Check[]> {
  return [await checkPort('PORT', config), await checkPort('ADMIN_PORT', config)]
}

async function checkPort(variable: 'PORT' | 'ADMIN_PORT', config: Config): Promise<Check> {
  const port = config[variable]
  const subject = `${variable} ${port}`
  if (variable === 'ADMIN_PORT' && port === 0) return ok(subject, 'off')
  const error = await listeningError(config.HOST, port)
  if (error === undefined) return ok(subject, port === 0 ? 'a free one is taken' : 'free')
  if (error.code === 'EADDRINUSE')
    return warn(subject, 'in use', `well if by this service already running; else set ${variable} to another`)
  const explained = explainListening(error, config) as Error
  return fail(subject, explained.message, `set HOST and ${variable} to what this machine has`)
}
