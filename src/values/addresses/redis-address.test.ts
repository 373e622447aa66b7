import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotAllowed } from '../values.ts'
import { readRedisAddress, redisAddress } from './redis-address.ts'

const PLAIN = {
  kind: 'server',
  tls: false,
  username: undefined,
  password: undefined,
  database: 0,
  primary: '',
  sentinelUsername: undefined,
  sentinelPassword: undefined,
}

const UNDERSTOOD: [string, object][] = [
  ['redis://cache', { hosts: [{ host: 'cache', port: 6379 }] }],
  ['redis://127.0.0.1:7000/', { hosts: [{ host: '127.0.0.1', port: 7000 }] }],
  ['redis://[::1]:7000/3', { hosts: [{ host: '::1', port: 7000 }], database: 3 }],
  [
    'rediss://me:p%40ss%2F@cache.example:6380/1',
    {
      hosts: [{ host: 'cache.example', port: 6380 }],
      tls: true,
      username: 'me',
      password: 'p@ss/',
      database: 1,
    },
  ],
  ['redis://:a:b@cache', { hosts: [{ host: 'cache', port: 6379 }], password: 'a:b' }],
  [
    'redis://a:1,b,[::1]:3',
    {
      kind: 'cluster',
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 3 },
      ],
    },
  ],
  [
    'rediss+cluster://:x@nodes.example',
    { kind: 'cluster', hosts: [{ host: 'nodes.example', port: 6379 }], tls: true, password: 'x' },
  ],
  [
    'redis+sentinel://:x@s1,s2:5/my%20name/2?sentinelUsername=u&sentinelPassword=p%26',
    {
      kind: 'sentinel',
      hosts: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 5 },
      ],
      password: 'x',
      primary: 'my name',
      database: 2,
      sentinelUsername: 'u',
      sentinelPassword: 'p&',
    },
  ],
]

for (const [text, expected] of UNDERSTOOD)
  test(`${text} is understood, and kept as it is written`, () => {
    assert.deepEqual(readRedisAddress(text), { ...PLAIN, ...expected })
    assert.equal(redisAddress().parse(text), text)
  })

const REFUSED: [string, RegExp][] = [
  ['127.0.0.1:6379', /not a Redis URL/],
  ['http://cache', /not a Redis URL/],
  ['redis://', /not a Redis URL/],
  ['redis+unix:///run/redis', /not a Redis URL/],
  ['redis://:se/cret@cache', /hosts/],
  ['redis://secret@cache', /user:password@/],
  ['redis://default:secret', /hosts/],
  ['redis://:%secret@cache', /percent-encoded/],
  ['redis://cache:0', /port/],
  ['redis://cache:70000', /port/],
  ['redis://a,,b', /hosts/],
  ['redis://cache/secret', /number/],
  ['redis://cache/0/secret', /too many/],
  ['redis://a,b/1', /a cluster has none/],
  ['redis://cache?password=secret', /unknown/],
  ['redis+sentinel://s1', /name under which/],
  ['redis+sentinel://s1/primary?secret=secret', /unknown/],
]

for (const [text, why] of REFUSED)
  test(`${text} is refused, in words that do not repeat it`, () => {
    assert.throws(
      () => redisAddress().parse(text),
      (error: unknown) =>
        error instanceof NotAllowed && why.test(error.message) && !error.message.includes('secret'),
    )
  })
