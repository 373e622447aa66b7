import assert from 'node:assert/strict'
import { test } from 'node:test'
import { said } from '../../../test/support/feed-poller-setup.ts'
import { answers, entry, payload, startUpstream } from '../../../test/support/misbehaving-upstream.ts'
import { readConfig } from '../../config.ts'
import { checkFeed } from './connections.ts'

const NOW = new Date('2024-07-01T12:00:00Z')
const MINUTE = 60_000

test('doctor: assesses the feed’s time', async t => {
  const upstream = await startUpstream(answers(''))
  t.after(() => upstream.close())
  const config = readConfig({ LIVE_FEED_URL: upstream.url })
  const cases: [string, RegExp | undefined][] = [
    [said(NOW.getTime() - 5 * MINUTE), undefined],
    [said(NOW.getTime() - 30 * MINUTE), undefined],
    [said(NOW.getTime() - 3 * MINUTE, 'UTC'), /about an hour ago$/],
    [said(NOW.getTime() - 25 * 60 * MINUTE), /more than a day ago$/],
    [said(NOW.getTime() + 2 * MINUTE), undefined],
    [said(NOW.getTime() + 3 * MINUTE), /lies in the future$/],
    ['soon', /"soon" is not a time$/],
  ]
  for (const [words, warned] of cases) {
    upstream.behaviour = answers(payload([entry('A')], words))
    const checks = await checkFeed(config, NOW)
    assert.ok(checks[0]?.finding.startsWith('1 car park, updated 2024-0'), words)
    const warnings = checks.filter(({ status }) => status !== 'ok')
    assert.equal(warnings.length, warned === undefined ? 0 : 1, words)
    if (warned !== undefined) assert.match(warnings[0]?.finding ?? '', warned)
  }
})
