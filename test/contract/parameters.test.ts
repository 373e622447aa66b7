import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

test('unknown parameters', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const ignored = async (url: string) => (await app.inject(url)).headers['ignored-parameters']

  await t.test('are ignored, and named with the nearest that it has', async () => {
    assert.equal(await ignored('/v1/vehicles?makes=Ford'), 'makes;nearest=make')
    assert.equal(
      await ignored('/v1/vehicles?colour=Red&LIMIT=2'),
      'colour;nearest=color, LIMIT;nearest=limit',
    )
    assert.equal(await ignored('/v1/toilets?storey=x'), 'storey')
    assert.equal(await ignored('/v1/carparks/HARBST?includeCarparkInfo=true'), 'includeCarparkInfo')
    assert.equal(
      await ignored('/v1/carparks/live-spaces?includeCarParkInfo=true'),
      'includeCarParkInfo;nearest=includeCarparkInfo',
    )
    assert.equal(await ignored('/v1/vehicles?make=Ford'), undefined)
  })

  await t.test('change nothing in the answer', async () => {
    const plain = await app.inject('/v1/vehicles?make=ford')
    const more = await app.inject('/v1/vehicles?utm_source=x&make=ford&__proto__=1&make[]=y')
    assert.equal(more.body, plain.body)
    assert.equal(more.headers.etag, plain.headers.etag)
    assert.equal(more.headers.link, plain.headers.link)
  })

  await t.test('are named once each, in plain characters, the first ten of them', async () => {
    assert.equal(await ignored('/v1/toilets?a=1&a=2&%0D%0Ax:y=1&caf%C3%A9'), 'a, %0D%0Ax%3Ay, caf%C3%A9')
    const many = Array.from({ length: 50 }, (_, index) => `p${index}=1`).join('&')
    assert.equal((await ignored(`/v1/toilets?${many}`))?.toString().split(', ').length, 10)
  })

  await t.test('are errors under Prefer: handling=strict', async () => {
    const headers = { prefer: 'respond-async, handling=strict' }
    const wrong = await app.inject({ url: '/v1/vehicles?makes=Ford&x=1', headers })
    assert.equal(wrong.statusCode, 400)
    assert.equal(wrong.json().code, 'UNKNOWN_PARAMETER')
    assert.deepEqual(
      wrong
        .json()
        .errors.map((error: { parameter: string; nearest?: string }) => [error.parameter, error.nearest]),
      [
        ['makes', 'make'],
        ['x', undefined],
      ],
    )
    const right = await app.inject({ url: '/v1/vehicles?make=Ford', headers })
    assert.equal(right.statusCode, 200)
    assert.equal(right.headers['preference-applied'], 'handling=strict')
  })
})

test('invalid parameters', async t => {
  const { app } = await build(t, ISLAND)

  await t.test('are all named in one answer', async () => {
    const response = await app.inject(
      '/v1/vehicles?page=0&limit=abc&startDate=2023-02-30&match=fuzy&make=%ff',
    )
    assert.equal(response.statusCode, 400)
    assert.equal(response.json().code, 'INVALID_PARAMETER')
    const byName = Object.fromEntries(
      response.json().errors.map(({ parameter, ...error }: { parameter: string }) => [parameter, error]),
    )
    assert.deepEqual(Object.keys(byName).sort(), ['limit', 'make', 'match', 'page', 'startDate'])
    assert.equal(byName.limit.value, 'abc')
    assert.equal(byName.limit.allowed, 'a whole number from 1 to 1000000')
    assert.match(byName.startDate.detail, /does not exist/)
  })

  await t.test('are refused whatever their form', async () => {
    const wrong = {
      page: [
        '0',
        '-1',
        '1e9',
        '1.5',
        'Infinity',
        'NaN',
        ' 1',
        '+1',
        '0x10',
        '9'.repeat(400),
        '1000000001',
        '１',
      ],
      limit: ['0', '1000001', 'abc', 'null'],
      startDate: ['2023-02-29', '2024-13-01', '2024-1-5', '05/01/2024', '2024-01/05', '2024-01-05T25:00:00Z'],
      endDate: ['0000-00-00', '20240105', '2024-01-05T10:00', 'today'],
      make: ['x'.repeat(101), '%00', '%0A', '%ED%A0%80'],
      fuelType: ['PETRL', '__proto__', 'constructor'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) {
        const response = await app.inject(`/v1/vehicles?${name}=${value.replaceAll('+', '%2B')}`)
        assert.equal(response.statusCode, 400, `${name}=${value}`)
        assert.equal(response.json().errors[0].parameter, name)
        assert.ok(response.json().errors[0].value.length <= 100)
      }
  })

  await t.test('may not be given twice, even if both are the same', async () => {
    for (const query of ['make=a&make=a', 'page=1&page=1', 'dateType=x&dateType=y', 'make=a&%6Dake=b']) {
      const response = await app.inject(`/v1/vehicles?${query}`)
      assert.equal(response.statusCode, 400, query)
      assert.equal(response.json().errors[0].allowed, 'once')
    }
  })
})
