import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostgresQueryCompiler } from 'kysely'
import { ISLAND } from '../support/island.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const PAYLOADS = [
  "'",
  "''",
  '"',
  "' OR '1'='1",
  "' OR 1=1 --",
  '" OR ""="',
  "'; DROP TABLE rows; --",
  "Ford'; DELETE FROM rows WHERE 'a'='a",
  "' UNION SELECT content FROM documents --",
  "') OR EXISTS (SELECT 1 FROM sqlite_master) --",
  "x' AND 1=CAST((SELECT count(*) FROM rows) AS int) --",
  "Ford' || '",
  '%',
  '_',
  'F_rd',
  'For%',
  'Fo*',
  'F[a-z]rd',
  '\\',
  '\\x27',
  '?1',
  ':make',
  '$1',
  '@p',
  '1e0',
  'Ford/**/',
  'Ford --+',
  'Ford\u2019',
  '＇ OR 1=1',
]

/** Parameters that take any text, with the field of a vehicle in which they look. */
const TEXTS = ['make', 'model', 'color'] as const

test('user input is only ever a bound value', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const statements = new Set<string>()
  const { prototype } = PostgresQueryCompiler
  const compile = prototype.compileQuery
  t.mock.method(
    prototype,
    'compileQuery',
    function (this: PostgresQueryCompiler, ...query: Parameters<typeof compile>) {
      const compiled = compile.apply(this, query)
      statements.add(compiled.sql)
      return compiled
    },
  )
  // A vehicle for each payload, so that the literal match is there to be found.
  const rows = PAYLOADS.map(payload => `"${payload.replaceAll('"', '""')}"`).map(
    cell => `${cell},${cell},${cell}`,
  )
  const vehicles = ['MAKE,MODEL,COLOUR', ...rows, 'Ford,FIESTA,Blue'].join('\n')
  // The register in memory knows no SQL at all.
  const { app } = await build(t, { ...ISLAND, vehicles }, { environment: { TABLE_ENGINE: 'sql' } })
  const ask = async (query: string) => (await app.inject(`/v1/vehicles?${query}`)).json()
  const makes = (body: { results: { make: string }[] }) => body.results.map(({ make }) => make)

  for (const name of TEXTS) {
    const value = { make: 'Ford', model: 'FIESTA', color: 'Blue' }[name]
    for (const match of ['contains', 'exact']) {
      await ask(`${name}=${value}&match=${match}`)
      await ask(`${name}=${value}&match=${match}&page=2&limit=1`)
    }
    // Once the texts of a field are counted, its statements list those that match.
    let limit = 1
    await until(async () => {
      // Each answer is kept.
      await ask(`${name}=${value}&limit=${++limit}`)
      return [...statements].some(text => text.includes(`"${name}/folded" = any(`))
    }, 'the texts being counted')
  }
  for (const url of [
    '/v1/vehicles',
    '/v1/vehicles?fuelType=PETROL',
    '/v1/vehicles/makes',
    '/v1/vehicles/colors',
    // Made ahead of requests, at a moment of their own.
    '/v1/vehicles/stats',
    '/v1/vehicles/models',
  ])
    await app.inject(url)
  const plain = [...statements]
  assert.ok(plain.some(text => /from "pds"\."r\d+_rows"\s+where/.test(text)))

  await t.test('each payload finds what holds it literally, and that alone', async () => {
    for (const payload of PAYLOADS) {
      const text = encodeURIComponent(payload)
      for (const name of TEXTS) {
        assert.deepEqual(makes(await ask(`${name}=${text}&match=exact`)), [payload], `${name}=${payload}`)
        const holding = [...PAYLOADS, name === 'make' ? 'Ford' : name].filter(value =>
          value.includes(payload),
        )
        assert.deepEqual(makes(await ask(`${name}=${text}`)), holding, `${name}=${payload}`)
      }
    }
  })

  await t.test('in parameters that take few values it is refused', async () => {
    for (const payload of PAYLOADS) {
      const text = encodeURIComponent(payload)
      for (const name of ['fuelType', 'startDate', 'endDate', 'page', 'limit', 'match'])
        assert.equal((await app.inject(`/v1/vehicles?${name}=${text}`)).statusCode, 400, `${name}=${payload}`)
      for (const name of ['startDate', 'endDate'])
        assert.equal((await app.inject(`/v1/vehicles/makes?${name}=${text}`)).statusCode, 400)
      assert.equal((await app.inject(`/v1/vehicles?dateType=${text}`)).statusCode, 200)
      const carpark = await app.inject(`/v1/carparks/${text}`)
      assert.equal(carpark.statusCode, 404, payload)
    }
  })

  await t.test('the text of the statements is the same as for plain values', () => {
    assert.deepEqual(
      [...statements].filter(text => !plain.includes(text)),
      [],
    )
  })

  await t.test('all is still there', async () => {
    assert.equal((await ask('')).pagination.totalItems, PAYLOADS.length + 1)
  })
})
