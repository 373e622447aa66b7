import assert from 'node:assert/strict'
import { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import Type from 'typebox'
import { addEndpoint } from './endpoint.ts'
import type { StreamedBody } from './representation.ts'
import type { ParsedRequest } from './request.ts'
import { createResponseCache } from './response-cache.ts'
import { createRouter } from './router.ts'

const CHUNKS = ['one', 'two', 'three']

/** Reads a streamed body to its end, and returns the calls that the load scheduler got. */
async function admissionOf(body: Partial<StreamedBody>) {
  const told: string[] = []
  const cache = createResponseCache({ maxBytes: 1 })
  const router = createRouter({
    scheduler: {
      run(client, work) {
        told.push(`run ${client}`)
        return work()
      },
      charge(client, ms) {
        assert.ok(ms >= 0)
        told.push(`charge ${client}`)
      },
    },
    unread: { admit: client => void told.push(`admit ${client}`) },
    ...{ cache, expensiveCache: cache, linksOf: () => undefined, address: path => path },
    eventClients: { admit: () => assert.fail(), figures: () => assert.fail(), end: () => {} } as never,
  })
  async function* chunks() {
    for (const text of CHUNKS) yield Buffer.from(text)
  }
  addEndpoint(router, {
    ...{
      path: '/rows',
      operationId: 'rows',
      tag: 'rows',
      summary: '',
      parameters: {},
      response: Type.Object({}),
    },
    respond: () => ({
      ...{ tag: 'a', lastModified: new Date(0), maxAge: 60, staleIfError: 60, synthetic: false },
      body: { open: () => ({ chunks: chunks(), close() {} }), ...body },
    }),
  })
  const request = { url: '/rows', queryString: '', headers: {}, params: {}, responseHeaders: [] }
  const response = new ServerResponse({ method: 'GET' } as never)
  const parsed: ParsedRequest = { ...request, client: () => 'one', response }
  const prepared = await router.match('/rows').route.handle(parsed)
  assert.ok(prepared.body !== undefined && 'chunks' in prepared.body)
  assert.equal(String(await buffer(prepared.body.chunks)), CHUNKS.join(''))
  return told
}

test('a stream is opened under load shedding where it fits, and each of its chunks is charged to its client', async () => {
  assert.deepEqual(await admissionOf({}), [
    'admit one',
    'run one',
    'admit one',
    ...CHUNKS.map(() => 'charge one'),
  ])
})

test('one that another thread makes need only fit', async () => {
  assert.deepEqual(await admissionOf({ isApart: true }), ['admit one', 'admit one'])
})
