import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

interface Parameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly operationId: string; readonly parameters?: readonly Parameter[] } }
    >
  >
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

test('the reference at /docs/api', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const { paths, components } = app.document() as Document
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }))

  await t.test('lists every operation', async () => {
    const { body } = await app.inject('/docs/api')
    for (const { operationId, path } of operations) {
      assert.ok(body.includes(`href="/docs/api/${operationId}"`), operationId)
      assert.ok(body.includes(`<code>${path}</code>`), path)
    }
  })

  await t.test('has a page for each, with every parameter, field and response', async () => {
    for (const { operationId, parameters = [] } of operations) {
      const { statusCode, body } = await app.inject(`/docs/api/${operationId}`)
      assert.equal(statusCode, 200, operationId)
      const names = parameters.flatMap(each => {
        const { in: place, name } =
          each.$ref === undefined ? each : (components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? each)
        return place === 'header' ? [] : [name]
      })
      const shown = [...body.matchAll(/id="parameter-([^"]+)" name=/g)].map(([, name]) => name)
      assert.deepEqual(shown, names, operationId)
      assert.match(body, /<dt>200<\/dt>/, operationId)
    }
  })

  await t.test('begins each form with a request that succeeds', async () => {
    // Files are made later, and a stream does not end.
    for (const { operationId } of operations.filter(
      each => !/^(getFile|followLiveSpaces)$/.test(each.operationId),
    )) {
      const { body } = await app.inject(`/docs/api/${operationId}`)
      const url = unescaped(/id="api-address" href="([^"]*)"/.exec(body)?.[1] ?? assert.fail(operationId))
      // What changed needs a release to compare with.
      const asked = url.endsWith('/changes') ? `${url}?since=1` : url
      assert.equal((await app.inject(asked)).statusCode, 200, asked)
    }
  })

  await t.test('makes the request of the form without scripts', async () => {
    const { body } = await app.inject('/docs/api/listVehicles?make=ford&sort=-weight,make&color=&model=a%26b')
    assert.match(
      unescaped(body),
      /id="api-address" href="\/v1\/vehicles\?make=ford&model=a%26b&sort=-weight,make"/,
    )
    assert.match(unescaped(body), /curl 'http:\/\/data\.example\/v1\/vehicles\?make=ford/)
    const one = await app.inject('/docs/api/getCarpark?idOrCode=a/b')
    assert.match(one.body, /href="\/v1\/carparks\/a%2Fb"/)
  })

  await t.test('shows what is entered as text', async () => {
    const { body } = await app.inject(
      `/docs/api/listVehicles?make=${encodeURIComponent(`"'><img src=x onerror=alert(1)>`)}`,
    )
    assert.doesNotMatch(body, /<img/)
  })

  await t.test('leads from its former addresses', async () => {
    const { statusCode, headers } = await app.inject('/docs/static/index.html')
    assert.deepEqual([statusCode, headers.location], [302, '/docs/api'])
  })
})
