import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARPARKS, ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

const { entries, timestamp } = OBSERVATION

test('live free spaces (spec 4.5)', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const plain = JSON.stringify({ results: entries, timestamp })

  await t.test('an entry has name, code, spaces, status and open; the root has the timestamp', async () => {
    assert.equal((await app.inject('/v1/carparks/live-spaces')).body, plain)
    assert.deepEqual(Object.keys(entries[0] ?? {}), ['name', 'code', 'spaces', 'status', 'open'])
    assert.equal((await app.inject('/v1/carparks/live-spaces?includeCarparkInfo=false')).body, plain)
  })

  await t.test(
    'includeCarparkInfo=true adds the car park by itself, null where none has the code',
    async () => {
      const { paymentMethods: _, ...carpark } = CARPARKS[0] ?? assert.fail()
      const results = entries.map(entry => ({
        ...entry,
        carparkInfo: entry.code === 'HARBST' ? carpark : null,
      }))
      const { body } = await app.inject('/v1/carparks/live-spaces?includeCarparkInfo=true')
      assert.equal(body, JSON.stringify({ results, timestamp }))
    },
  )

  await t.test('includeCarparkInfo takes no other word', async () => {
    for (const word of ['TRUE', '1', 'yes', 'tru']) {
      const response = await app.inject(`/v1/carparks/live-spaces?includeCarparkInfo=${word}`)
      assert.equal(response.statusCode, 400, word)
      const [error] = response.json().errors
      assert.equal(error.parameter, 'includeCarparkInfo')
      assert.equal(error.value, word)
      assert.equal(error.allowed, 'one of true, false')
    }
  })
})

test('feed codes match car parks ignoring case', async t => {
  const harbour = { ...entries[0], code: 'harbst' } as (typeof entries)[number]
  const { app } = await build(t, ISLAND, { observation: { timestamp, entries: [harbour] } })
  const { results } = (await app.inject('/v1/carparks/live-spaces?includeCarparkInfo=true')).json()
  assert.equal(results[0].carparkInfo.name, 'Harbour Street')
})

test('without a reading the status is 503; without car parks only what needs them is 503', async t => {
  const { app } = await build(t)
  const response = await app.inject('/v1/carparks/live-spaces')
  assert.equal(response.statusCode, 503)
  assert.equal(response.headers['retry-after'], '42')

  const { app: withReading } = await build(t, {}, { observation: OBSERVATION })
  assert.equal((await withReading.inject('/v1/carparks/live-spaces')).statusCode, 200)
  const info = await withReading.inject('/v1/carparks/live-spaces?includeCarparkInfo=true')
  assert.equal(info.statusCode, 503)
})
