import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ConfigError } from '../config.ts'
import { DamagedReleaseError, StoreBusyError, StoreUnusableError } from '../store/store.ts'
import { Refused, UsageError } from './cli.ts'
import { describeFailure } from './failure.ts'

test('an expected error is one line without a stack', () => {
  for (const [kind, status] of [
    [Refused, 1],
    [StoreUnusableError, 1],
    [StoreBusyError, 1],
    [DamagedReleaseError, 1],
    [UsageError, 2],
    [ConfigError, 2],
  ] as const)
    assert.deepEqual(describeFailure(new kind('so it is'), {}), { status, text: 'error: so it is\n' })
})

test('a system error is described in words, with the path', async () => {
  const error = await readFile('/absent/file').catch(reason => reason)
  assert.deepEqual(describeFailure(error, {}), {
    status: 1,
    text: 'error: /absent/file: there is no such file\n',
  })
})

test('an unexpected error is called a bug, and its stack is shown only at the level debug', () => {
  const error = new TypeError('x is undefined')
  const brief = describeFailure(error, {})
  assert.equal(brief.status, 1)
  assert.match(
    brief.text,
    /^error: x is undefined \(this is a bug\)\nLOG_LEVEL=debug shows where it happened\.\n$/,
  )
  assert.match(describeFailure(error, { LOG_LEVEL: 'debug' }).text, /\n {4}at .*failure\.test\.ts/)
})

test('an error message cannot steer the terminal', () => {
  assert.equal(describeFailure(new Refused('a\u001b[2J\nb'), {}).text, 'error: a\\u{1b}[2J\\u{a}b\n')
})
