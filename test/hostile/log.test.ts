import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/config.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { injectable, temporaryStore } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The app with a log that the test reads. Nothing is published: that is logged as any other answer. */
async function buildLogged(t: TestContext) {
  const written: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const log = pino({ level: 'trace' }, stream)
  const config = readConfig({ TRUST_PROXY: '127.0.0.1, 203.0.113.0/24' })
  const { app, parking, snapshots, start } = compose({ config, log, store: await temporaryStore(t) })
  t.after(async () => {
    await app.close()
    await Promise.all([parking.stop(), snapshots.stop()])
  })
  await start()
  return { app: injectable(app), log: () => written.join('') }
}

const CLIENTS = ['203.0.113.77', '198.51.100.23', '2001:db8::77', '2001:db8:0:0']
const FORWARDED = 'X-Forwarded-For: 198.51.100.23, 2001:db8::77\r\nForwarded: for=198.51.100.23\r\n'

test('the log', async t => {
  const { app, log } = await buildLogged(t)
  const port = await listen(app)
  const started = log()
  let asked = 0
  const send = async (target: string, headers = '') => {
    const head = `GET ${target} HTTP/1.1\r\nHost: data.example\r\n${FORWARDED}${headers}Connection: close\r\n\r\n`
    asked += 1
    return exchange(port, Buffer.from(head, 'latin1'))
  }
  await send('/v1/toilets?x=%0d%0a{"level":60,"msg":"forged"}')
  await send('/v1/toilets?\xe2\x80\xa8forged\xc2\x85\x9b31m')
  await send('/%1b%5B31mred', 'User-Agent: \xe2\x80\xa8\x9b31m"\\\r\n')
  await send('/v1/vehicles', `User-Agent: ${'u'.repeat(8 * 1024)}\r\n`)
  await send('/v1/vehicles', `User-Agent: ${'u'.repeat(7 * 1024)}\r\n`)
  await send(`/v1/vehicles?make=${'%E2%80%A8'.repeat(700)}`)
  await send('/v1/carparks/%zz%0a')
  await send(`/v1/carparks/${'y'.repeat(200)}`)
  await send('/v1/toilets?\x1b[31m')
  const headers = { 'x-forwarded-for': '2001:db8::77', origin: 'http://198.51.100.23' }
  await app.inject({ url: '/v1/vehicles', remoteAddress: '203.0.113.77', headers })
  await app.inject({ method: 'OPTIONS', url: '/v1/vehicles', remoteAddress: '203.0.113.77', headers })
  asked += 2
  const lines = () => log().slice(started.length).split('\n').slice(0, -1)
  const about = () => lines().filter(line => /"msg":"(request|malformed request)"/.test(line))
  await until(() => about().length >= asked, 'every request in the log')

  await t.test('has one line a request, whatever was sent', () => {
    assert.equal(about().length, asked)
    assert.deepEqual(
      lines().filter(line => !about().includes(line)),
      [],
    )
  })

  await t.test('has lines of valid JSON, of plain characters, none long', () => {
    for (const line of lines()) {
      assert.equal(typeof JSON.parse(line), 'object')
      assert.match(line, /^[\x20-\x7e]*$/)
      assert.ok(line.length < 1000, line)
    }
  })

  await t.test('never says who asked', () => {
    for (const client of [...CLIENTS, '127.0.0.1', 'u'.repeat(20)])
      assert.ok(!lines().join().includes(client), client)
  })

  await t.test('says what was asked and how it went', () => {
    const statuses = about().map(line => JSON.parse(line).status)
    assert.deepEqual(statuses.toSorted(), [204, 400, 400, 400, 400, 404, 414, 431, 503, 503, 503])
  })
})
