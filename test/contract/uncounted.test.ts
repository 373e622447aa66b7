import assert from 'node:assert/strict'
import { test } from 'node:test'
import { observe } from '../../src/parking/feed/mapping.ts'
import { judgedHarbour, LAST, MONDAY_10H } from '../support/judged-harbour.ts'
import { payload } from '../support/misbehaving-upstream.ts'

const MINUTE = 60_000
const COUNT = { name: 'Harbour St', code: 'HARBST', status: 'good', carparkOpen: 'true' }
const OTHER = { ...COUNT, name: 'Other', code: 'OTHER', spaces: 7 }

/** What the service takes from a response of the feed. */
function read(at: number, ...entries: readonly object[]) {
  const { observation } = observe(payload(entries, 'no time'), {
    now: new Date(at),
    timeZone: 'Europe/Jersey',
  })
  return observation ?? assert.fail('nothing new')
}

test('a car park that the feed lists without a usable count is not said to be missing', async t => {
  const { app, get, quality, tell, tellCounts } = await judgedHarbour(t)
  await tellCounts([LAST - 3])
  let minute = 10
  for (const [spaces, carparkOpen, ...expected] of [
    [null, 'true', 'implausible', 'impossible-count'],
    [-4, 'true', 'implausible', 'impossible-count'],
    ['n/a', true, 'implausible', 'impossible-count'],
    [null, 'false', 'closed', 'feed-says-closed'],
    [-1, 'false', 'closed', 'feed-says-closed'],
  ] as const) {
    await tell(read(MONDAY_10H + minute * MINUTE, OTHER, { ...COUNT, spaces, carparkOpen }))
    minute += 1
    const { quality: found, reason } = await quality()
    assert.deepEqual([found, reason], expected, `${spaces} ${carparkOpen}`)
    const live = await get('/v1/carparks/HARBST/live')
    assert.deepEqual([live.spaces, live.status, live.open], [null, 'good', String(carparkOpen) === 'true'])
    const { results, missing } = await get('/v1/carparks/live-spaces?include=quality')
    assert.deepEqual(
      [results, missing].map(list => list.map(({ code }: { code: string }) => code)),
      [['OTHER'], ['HARBST']],
    )
    for (const path of ['/parking', '/parking/HARBST']) {
      // A page is rendered once a second at each address.
      const { body } = await app.inject(`${path}?${minute}`)
      assert.match(
        body,
        expected[0] === 'closed' ? />closed</ : /gives no usable number for this car park/,
        path,
      )
      assert.doesNotMatch(body, /has not counted this car park/, path)
    }
    const { detail } = await get('/v1/carparks/HARBST/forecast')
    assert.doesNotMatch(String(detail), /no longer lists/)
  }
  await tell(read(MONDAY_10H + minute * MINUTE, OTHER, { ...COUNT, spaces: LAST - 9 }))
  assert.equal((await quality()).quality, 'good')
  await tell(read(MONDAY_10H + (minute + 5) * MINUTE, OTHER))
  assert.deepEqual((await quality()).reason, 'no-longer-listed')
})

test('a count that becomes unusable, or usable again, is news, though nothing else has changed', () => {
  const words = 'This information was updated at 10:00:00 on Monday 31 March'
  const context = { now: new Date(MONDAY_10H + MINUTE), timeZone: 'Europe/Jersey' }
  const without = { ...COUNT, spaces: null }
  const { observation: last } = observe(payload([OTHER, without], words), context)
  const next = (...entries: readonly object[]) =>
    observe(payload(entries, words), { ...context, last }).observation
  assert.equal(last?.uncounted?.length, 1)
  assert.equal(next(OTHER, without), undefined)
  assert.equal(next(OTHER, { ...without, carparkOpen: 'false' })?.uncounted?.[0]?.open, false)
  assert.deepEqual(next(OTHER)?.entries, last?.entries)
})
