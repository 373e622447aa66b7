/*
 * A health check for images without curl. Ends with 0 if the service of this container or machine answers on its admin port,
 * otherwise with 1. Checks that the process is alive, not that it is ready: a service waiting for its database must not be
 * restarted.
 */

const port = process.env.ADMIN_PORT || '9090'

try {
  const { status } = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2000) })
  process.exitCode = status === 200 ? 0 : 1
} catch {
  process.exitCode = 1
}
