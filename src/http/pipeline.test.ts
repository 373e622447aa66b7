import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../errors.ts'
import { createHttpApp } from './http-app.ts'
import { createPipeline, type ResponseRecord } from './pipeline.ts'
import { createRouteTable } from './router.ts'
import { createScheduler } from './scheduler.ts'

test('the time of a response counts from the arrival of its request, also where the request waits', async t => {
  const routes = createRouteTable()
  routes.add({ path: '/', handle: () => ({ status: 204, headers: [] }) })
  const records: ResponseRecord[] = []
  let startNow = (_begin: () => void) => {}
  const scheduler = {
    ...createScheduler(),
    hasTime: () => false,
    startLater: (_client: string, begin: () => void) => startNow(begin),
  }
  const listener = { baseUrl: () => '', clientOf: () => '', scheduler }
  const pipeline = createPipeline({
    ...{ ...listener, routes, handle: (route, request) => route.handle(request) },
    toProblem: () => new Problem('INTERNAL_ERROR', ''),
    onResponse: record => records.push(record),
  })
  let responded: Promise<Response> | undefined
  const proceed = await new Promise<() => void>((resolve, reject) => {
    startNow = resolve
    const app = createHttpApp({ ...listener, handle: pipeline })
    t.after(() => app.close())
    responded = app.listen({ host: '127.0.0.1', port: 0 }).then(url => fetch(url))
    responded.catch(reject)
  })
  const arrived = performance.now()
  while (performance.now() - arrived < 5);
  proceed()
  assert.equal((await responded)?.status, 204)
  const [record] = records
  assert.ok(record !== undefined && record.ms >= 5, `${record?.ms} ms`)
})
