import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { webhookKey, webhookSecret } from './webhook-secret.ts'

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`

for (const bytes of [24, 32, 64])
  test(`a secret of ${bytes} bytes is allowed`, () => {
    const secret = webhookSecret().parse(secretOf(bytes))
    assert.deepEqual(webhookKey(secret), Buffer.alloc(bytes, 0xfb))
  })

const WRONG = [
  ...[secretOf(23), secretOf(65), secretOf(32).slice('whsec_'.length), `${secretOf(32)}=`],
  ...[`whsec_${'-_'.repeat(16)}`, `whsec_ ${'A'.repeat(32)}`, 'hunter2'],
]

for (const secret of WRONG)
  test(`"${secret}" is refused in one line that does not show it`, () => {
    assert.throws(
      () => readConfig({ NOTIFY_SECRET: secret }),
      ({ message }: Error) => {
        assert.match(message, /^NOTIFY_SECRET is "…".*allowed: whsec_ and base64 of 24 to 64 bytes/)
        return !message.includes('\n') && !message.includes(secret.slice(-7))
      },
    )
  })
