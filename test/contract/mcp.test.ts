import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { pino } from 'pino'
import { DATASETS } from '../../src/datasets/index.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { codeRows, codes, read } from '../support/markdown.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { type BuildOptions, build, publish, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

interface Content {
  readonly warning?: string
  readonly count?: number
  readonly more?: string
  readonly results: readonly Record<string, unknown>[]
  readonly about: { urls: string[]; synthetic: boolean; sources: Record<string, unknown>[] }
  readonly [other: string]: unknown
}

const TOILET_FILTERS = ['parish', 'facility', 'bbox', 'near', 'radius', 'top']

async function connect(
  t: TestContext,
  options: BuildOptions = {},
  content: Parameters<typeof build>[1] = ISLAND,
) {
  const { app, responses } = await build(t, content, { observation: OBSERVATION, ...options })
  const port = await listen(app)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  t.after(() => client.close())
  const call = async (name: string, sent: Record<string, unknown> = {}) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: sent })
    const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
    assert.deepEqual(JSON.parse(text), structuredContent)
    return { isError, size: Buffer.byteLength(text), content: structuredContent as Content }
  }
  return { app, port, client, call, responses }
}

test('agents reach the data by tools', async t => {
  const metadata = {
    title: 'Island data',
    publisher: 'The Parish',
    licence: 'OGL',
    attribution: 'Contains data of the Parish',
  }
  const { app, client, call } = await connect(t, { metadata })

  await t.test('which are few, read-only and described by the parameters of the endpoints', async () => {
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name).filter(name => name !== 'count_records'),
      [
        ...['list_datasets', 'describe_dataset', 'find_places', 'live_parking', 'search_vehicles'],
        'search_recalls',
      ],
    )
    for (const { annotations } of tools)
      assert.deepEqual([annotations?.readOnlyHint, annotations?.openWorldHint], [true, false])
    const vehicles = tools.find(({ name }) => name === 'search_vehicles')?.inputSchema.properties ?? {}
    const { anyOf } = vehicles.fuelType as { anyOf: [{ enum: string[] }] }
    assert.ok(anyOf[0].enum.includes('HEAVY_OIL'))
    assert.equal((vehicles.limit as { maximum: number }).maximum, 20)
    assert.equal('cursor' in vehicles, false)
  })

  await t.test('each takes the parameters that its documentation names', async () => {
    const { tools } = await client.listTools()
    const rows = codeRows(read('docs/reference/agents.md'))
    assert.deepEqual(rows.map(([cell]) => codes(cell)[0]).sort(), tools.map(({ name }) => name).sort())
    for (const [cell = '', , takes = ''] of rows) {
      const { properties = {} } = tools.find(({ name }) => `\`${name}\`` === cell)?.inputSchema ?? {}
      for (const name of codes(takes)) {
        const [path, endpoint] = /^\/v1\/([\w-]+)$/.exec(name) ?? []
        if (path === undefined) assert.ok(name in properties, `${cell}: ${name}`)
        else assert.ok(Object.keys(properties).length > 5, `${cell}: the parameters of ${endpoint}`)
      }
    }
  })

  await t.test('each takes an empty argument as none', async () => {
    const { tools } = await client.listTools()
    for (const { name, inputSchema } of tools) {
      const { properties = {}, required = [] } = inputSchema
      const sent = { dataset: 'toilets', by: 'parish' }
      const needed = Object.fromEntries(Object.entries(sent).filter(([key]) => required.includes(key)))
      const { content } = await call(name, needed)
      for (const parameter of Object.keys(properties).filter(key => !required.includes(key))) {
        // Parameters of other datasets are unknown to this one.
        if (name === 'count_records' && !TOILET_FILTERS.includes(parameter)) continue
        for (const empty of ['', []])
          assert.deepEqual((await call(name, { ...needed, [parameter]: empty })).content, content, parameter)
      }
    }
  })

  await t.test('each with its terms, its date and the address of the question', async () => {
    const { content } = await call('search_vehicles', { make: 'ford', limit: 1 })
    assert.deepEqual([content.count, content.results.length], [2, 1])
    assert.match(content.more ?? '', /^1 of 2\. Narrow/)
    const [source] = content.about.sources
    assert.deepEqual(
      [source?.dataset, source?.publisher, source?.licence, source?.attribution, content.about.synthetic],
      ['vehicles', 'The Parish', 'OGL', 'Contains data of the Parish', false],
    )
    assert.ok(Date.parse(String(source?.publishedAt)) > 0)
    const url = new URL(content.about.urls[0] ?? '')
    assert.equal(url.origin, 'http://data.example')
    const same = (await app.inject(url.pathname + url.search)).json()
    assert.deepEqual(content.results, same.results.slice(0, 1))
  })

  await t.test('list_datasets and describe_dataset tell what there is', async () => {
    const { content } = await call('list_datasets')
    assert.deepEqual(
      content.results.map(({ name }) => name),
      DATASETS.map(({ name }) => name),
    )
    const toilets = await call('describe_dataset', { dataset: 'toilets' })
    assert.ok(toilets.content.results.some(({ name }) => name === 'owner.name'))
    assert.equal(toilets.content.path, '/v1/toilets')
  })

  await t.test('find_places finds the nearest', async () => {
    const { content } = await call('find_places', { near: [49.18, -2.1], dataset: ['toilets'], limit: 1 })
    assert.equal(content.results.length, 1)
    assert.equal(typeof content.results[0]?.distanceMetres, 'number')
    assert.deepEqual(
      content.about.sources.map(({ dataset }) => dataset),
      ['toilets'],
    )
  })

  await t.test('live_parking tells counts with quality and age, and one with its forecast', async () => {
    const { content } = await call('live_parking')
    assert.deepEqual(
      content.results.map(({ code, spaces, quality }) => [code, spaces, quality]),
      [
        ['HARBST', 332, 'stale'],
        ['ELSEWH', 0, 'closed'],
      ],
    )
    assert.equal(typeof content.results[0]?.ageSeconds, 'number')
    for (const name of ['carpark', 'idOrCode']) {
      const one = await call('live_parking', { [name]: 'harbst' })
      assert.equal(one.content.results[0]?.code, 'HARBST')
      assert.equal(typeof (one.content.forecast as { reason: string }).reason, 'string')
    }
  })

  await t.test('search_recalls leaves out what is long', async () => {
    const { content } = await call('search_recalls', {})
    assert.ok(content.results.length > 0)
    for (const recall of content.results) assert.equal('furtherInformation' in recall, false)
  })

  await t.test('a wrong argument is an error that says what is allowed', async () => {
    const wrong: [string, Record<string, unknown>, RegExp][] = [
      ['search_vehicles', { fuelType: 'diesel' }, /HEAVY_OIL/],
      ['search_vehicles', { limit: 21 }, /from 1 to 20/],
      ['search_vehicles', { colour: 'blue' }, /"nearest":"color"/],
      ['describe_dataset', {}, /one of vehicles, carparks/],
      ['find_places', { near: [99, 0] }, /latitude/],
      ['live_parking', { carpark: 'nowhere' }, /NOT_FOUND.*"nowhere"/],
      ['live_parking', { carpark: '../toilets' }, /NOT_FOUND/],
      ['describe_dataset', { dataset: '' }, /dataset is required/],
    ]
    for (const [name, sent, expected] of wrong) {
      const { isError, content } = await call(name, sent)
      assert.equal(isError, true, name)
      assert.match(JSON.stringify(content), expected)
    }
    await assert.rejects(
      client.callTool({ name: 'drop_tables' }),
      /no tool has this name; there are list_datasets/,
    )
  })
})

test('an answer is at most 20 KB, and says what was cut', async t => {
  const long = 'x'.repeat(3000)
  const recalls = Array.from({ length: 20 }, (_, index) => ({
    ...{ id: index, title: long, brand: '', recallDate: '2024-06-06T23:00:00.000Z', problem: 'Burns' },
  }))
  const { call } = await connect(t, {}, { 'product-recalls': recalls })
  const { size, content } = await call('search_recalls', { limit: 20 })
  assert.ok(size <= 20_000, String(size))
  assert.ok(content.results.length > 0)
  assert.match(content.more ?? '', new RegExp(`^${content.results.length} of 20\\.`))
})

test('invented data is called so', async t => {
  const { call } = await connect(t, { synthetic: true })
  const { content } = await call('live_parking')
  assert.equal(content.about.synthetic, true)
  assert.match(content.warning ?? '', /invented/)
})

test('tools have the limits of the endpoints that they ask', async t => {
  const { call, responses } = await connect(t, { environment: { VEHICLES_RATE_LIMIT: '2' } })
  for (const [turn, isError] of [false, false, true].entries())
    assert.equal((await call('search_vehicles', { make: String(turn) })).isError, isError)
  assert.equal((await call('list_datasets')).isError, false)
  assert.ok(responses.every(({ route, method }) => route === '/mcp' && ['POST', 'GET'].includes(method)))
})

test('the service takes POST at /mcp alone, and no more of it than it must', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)
  const post = posting({ app })
  const head = (...lines: string[]) =>
    `${['POST /mcp HTTP/1.1', 'Host: data.example', 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

  await t.test('GET, HEAD and DELETE are 405 with what is allowed', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      const response = await app.inject({ method, url: '/mcp' })
      assert.deepEqual([response.statusCode, response.headers.allow], [405, 'POST, OPTIONS'])
    }
    const preflight = await app.inject({ method: 'OPTIONS', url: '/mcp' })
    assert.equal(preflight.headers['access-control-allow-methods'], 'POST, OPTIONS')
  })

  await t.test('a plain client need not know what the protocol wants to be accepted', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream, application/json']) {
      const response = await post(PING, { accept })
      assert.deepEqual(response.json(), { jsonrpc: '2.0', id: 1, result: {} })
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.equal(response.headers['access-control-allow-origin'], '*')
    }
    assert.equal((await post(PING, { accept: 'image/png' })).statusCode, 406)
  })

  await t.test('a notification is 202 without a body', async () => {
    const response = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert.deepEqual([response.statusCode, response.body], [202, ''])
  })

  await t.test('what is no message is an error of JSON-RPC', async () => {
    const codeOf = async (payload: string) => {
      const response = await post(payload)
      return [response.statusCode, response.json().error.code]
    }
    assert.deepEqual(await codeOf('{"jsonrpc":'), [400, -32700])
    assert.deepEqual(await codeOf(''), [400, -32700])
    assert.deepEqual(await codeOf(`[${PING},${PING}]`), [400, -32600])
    assert.deepEqual(await codeOf('{"id":1}'), [400, -32700])
    assert.equal((await post(PING, { 'mcp-protocol-version': '1999-01-01' })).statusCode, 400)
  })

  await t.test('other media types and codings are 415', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])
      assert.equal((await post(PING, headers)).json().code, 'UNSUPPORTED_MEDIA_TYPE')
    assert.equal((await post(PING, { 'content-type': 'Application/JSON; charset=utf-8' })).statusCode, 200)
  })

  await t.test('a larger body is 413, by its length or as it comes', async () => {
    const payload = `"${'x'.repeat(65_535)}"`
    assert.equal((await post(payload)).json().code, 'CONTENT_TOO_LARGE')
    const chunks = `${'8000\r\n'}${'x'.repeat(0x8000)}\r\n`.repeat(3)
    const { status } = await exchange(port, `${head('Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`, {
      patienceMs: 1000,
    })
    assert.equal(status, 413)
  })

  await t.test('a client that waits for leave to send gets it', async () => {
    const bytes = `${head('Expect: 100-continue', `Content-Length: ${PING.length}`, 'Connection: close')}${PING}`
    const { text } = await exchange(port, bytes)
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
  })

  await t.test(
    'a body that never ends is 408 in time, and a pipelined request behind a whole one is answered',
    async () => {
      const slow = exchange(port, `${head('Content-Length: 100')}{`)
      const whole = `${head(`Content-Length: ${PING.length}`)}${PING}`
      const { text } = await exchange(
        port,
        `${whole}GET /v1/toilets HTTP/1.1\r\nHost: data.example\r\nConnection: close\r\n\r\n`,
      )
      assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
      const { status, closed } = await slow
      assert.deepEqual([status, closed], [408, true])
    },
  )

  await t.test('elsewhere it is 405 as ever', async () => {
    const response = await app.inject({ method: 'POST', url: '/v1/toilets', payload: PING })
    assert.deepEqual([response.statusCode, response.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  })
})

const called = (name: string, sent: string) =>
  `{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"${name}","arguments":${sent}}}`

const posting =
  ({ app }: Pick<Service, 'app'>) =>
  (payload: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })

test('a message is bounded in what it holds, and none is an error of the service', async t => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void logged.push(line) })
  const post = posting(await build(t, ISLAND, { log }))
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 0])))
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  for (const [sent, code] of [
    [many(60), 'UNKNOWN_PARAMETER'],
    ['{"fuelType":{"toString":1}}', 'INVALID_PARAMETER'],
    ['{"fuelType":[{"toString":1,"valueOf":1}]}', 'INVALID_PARAMETER'],
    ['{"fuelType":[["__proto__"]],"__proto__":0}', 'INVALID_PARAMETER'],
  ] as const) {
    const { id, result } = (await post(called('search_vehicles', sent))).json()
    assert.deepEqual([id, result.isError, result.structuredContent.code], ['7', true, code], sent)
  }
  const required = (await post(called('describe_dataset', '{"dataset":{"toString":1}}'))).json()
  assert.match(required.result.structuredContent.detail, /dataset must be one of/)
  for (const payload of [
    called('search_vehicles', many(6000)),
    called('search_vehicles', many(101)),
    called('search_vehicles', `{"make":${deep(8000)}}`),
    called('search_vehicles', `{"make":${'{"a":'.repeat(8000)}0${'}'.repeat(8000)}}`),
    `{"id":${deep(8000)}}`,
    `{"params":${many(6000)}}`,
  ]) {
    const { statusCode, body } = await post(payload)
    assert.equal(statusCode, 400)
    assert.equal(JSON.parse(body).code, 'INVALID_PARAMETER')
    assert.match(body, /at most 100 values, nested at most 7 levels deep/)
  }
  assert.deepEqual(logged, [])
})

test('what is answered to one client does not depend on others', async t => {
  const post = posting(await build(t, ISLAND))
  const ids = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? at : `id ${at}`))
  const answers = ids.map(id => post(called('list_datasets', '{}').replace('"7"', JSON.stringify(id))))
  const cancelling = Array.from({ length: 40 }, (_, requestId) =>
    post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })),
  )
  assert.deepEqual(
    (await Promise.all(answers)).map(answer => answer.json().id),
    ids,
  )
  for (const answer of await Promise.all(cancelling)) assert.equal(answer.statusCode, 202)
  // An answer is to nothing that the service asked.
  const response = await post('{"jsonrpc":"2.0","id":1,"result":{}}')
  assert.equal(response.statusCode, 202)
})

test('the list of tools has the values of the current release', async t => {
  const service = await build(t, ISLAND)
  const post = posting(service)
  const list = async () => (await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).body
  const before = await list()
  assert.equal(await list(), before)
  const [toilet] = ISLAND.toilets
  await publish(service.store, 'toilets', [{ ...toilet, facilities: ['PIANO'] }])
  await until(async () => (await list()).includes('PIANO'), 'the new value among those that are allowed')
})

test('in overload a message is refused like any other request', async t => {
  const { app } = await build(t, ISLAND, { loadShedding: { maxWaitMs: 0 } })
  const post = posting({ app })
  assert.equal((await post(called('list_datasets', '{}'))).json().result.isError, undefined)
  const answers = await Promise.all(Array.from({ length: 300 }, () => post(called('list_datasets', '{}'))))
  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  assert.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} of ${answers.length}`)
  for (const response of refused) {
    assert.equal(response.json().code, 'OVERLOADED')
    assert.equal(response.headers['retry-after'], '1')
  }
})

test('/llms.txt tells language models where everything is', async t => {
  const { app } = await build(t, ISLAND)
  const { statusCode, headers, body } = await app.inject('/llms.txt')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
  assert.match(body, /^# .+\n\n> .+\n/)
  const links = [...body.matchAll(/\]\(http:\/\/data\.example([^)]*)\)/g)].map(([, path = '']) => path)
  assert.ok(links.includes('/v1/toilets'))
  for (const path of links.filter(path => path !== '/mcp'))
    assert.equal((await app.inject(path)).statusCode, 200, path)
})
