import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { listen } from './raw-http.ts'
import { type BuildOptions, build, type Service } from './service.ts'

/** The path that the proxy strips. */
export const PREFIX = '/open-data'

/**
 * Builds a service behind a proxy that strips a path from requests, and gives its public address. The proxy answers 404 outside of
 * that path, as a host does where something else is.
 */
export async function buildBehindPrefix(
  t: TestContext,
  content: Parameters<typeof build>[1],
  options: BuildOptions = {},
): Promise<Service & { readonly base: string }> {
  let port = 0
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (url !== PREFIX && !url.startsWith(`${PREFIX}/`)) {
      outgoing.writeHead(404).end('outside of the service')
      return
    }
    const path = url.slice(PREFIX.length) || '/'
    const passed = request({ host: '127.0.0.1', port, path, method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}`
  const environment = { BASE_URL: `${base}/`, ...options.environment }
  const service = await build(t, content, { ...options, environment })
  port = await listen(service.app)
  return { ...service, base }
}
