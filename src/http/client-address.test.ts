import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { heldMb } from '../../test/support/held-memory.ts'
import { clientAddressReader, clientKey } from './request.ts'

const message = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('X-Forwarded-For is believed only from trusted proxies, from the right as far as they go', () => {
  const nobody = clientAddressReader([])
  assert.equal(nobody(message('10.0.0.1', '198.51.100.1')), '10.0.0.1')
  const read = clientAddressReader(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  assert.equal(read(message('10.0.0.1', '198.51.100.1')), '198.51.100.1')
  assert.equal(read(message('::ffff:10.0.0.1', '198.51.100.1')), '198.51.100.1')
  assert.equal(read(message('fd00::1', '203.0.113.9, 198.51.100.1, 192.0.2.1')), '198.51.100.1')
  assert.equal(read(message('203.0.113.9', '198.51.100.1')), '203.0.113.9')
  assert.equal(read(message('10.0.0.1')), '10.0.0.1')
})

test("an entry that is no address makes the socket's address the client (so no client invents names)", () => {
  const read = clientAddressReader(['10.0.0.0/8'])
  for (const junk of [
    'unknown',
    '',
    '1.2.3',
    '_hidden',
    '[198.51.100.1',
    '1.2.3.4:x',
    ':80',
    'a'.repeat(5000),
  ])
    for (const forwarded of [junk, `198.51.100.7, ${junk}`, `${junk}, 10.0.0.2`])
      assert.equal(read(message('10.0.0.1', forwarded)), '10.0.0.1', forwarded)
})

test('a port after a forwarded address is ignored', () => {
  const read = clientAddressReader(['10.0.0.0/8'])
  const client = (forwarded: string) => read(message('10.0.0.1', forwarded))
  for (const port of ['', ':1', ':4711', ':65535']) {
    assert.equal(client(`198.51.100.1${port}`), '198.51.100.1')
    assert.equal(client(`[2001:db8::1]${port}`), '2001:db8::1')
    assert.equal(client(`198.51.100.1${port}, 10.0.0.9${port}`), '198.51.100.1')
  }
  assert.equal(client('2001:db8::1'), '2001:db8::1')
})

test('IPv6 clients are counted by their /64, IPv4 ones by their address', () => {
  assert.equal(clientKey('198.51.100.1'), '198.51.100.1')
  assert.equal(clientKey('::ffff:198.51.100.1'), '198.51.100.1')
  const same = [
    '2001:db8:1:2::1',
    '2001:0DB8:1:2:ffff::',
    '2001:db8:1:2:0:0:198.51.100.1',
    '2001:db8:1:2::1%eth0',
  ]
  assert.equal(new Set(same.map(clientKey)).size, 1)
  assert.notEqual(clientKey('2001:db8:1:3::1'), clientKey('2001:db8:1:2::1'))
  assert.equal(clientKey('::1'), clientKey('::2'))
})

test('the name of a client holds nothing else of the header that it was read from', () => {
  const read = clientAddressReader(['10.0.0.0/8'])
  const others = '192.0.2.1, '.repeat(600)
  const held = heldMb(() =>
    Array.from({ length: 5000 }, (_, at) =>
      clientKey(read(message('10.0.0.1', `${others}198.51.${100 + (at >> 8)}.${at & 255}`))),
    ),
  )
  assert.ok(held < 2, `${held} MB`)
})
