/*
 * Ends with 0 if the service of this container or machine answers on its admin port, else with 1: a health check for images
 * without curl. It asks whether the process lives, not whether it is ready: one that waits for its database must not be
 * started anew.
 */

const port = process.env.ADMIN_PORT || '9090'

try {
  const { status } = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2000) })
  process.exitCode = status === 200 ? 0 : 1
} catch {
  process.exitCode = 1
}
