import {
  answers,
  answersStatus,
  type Behaviour,
  deepJson,
  drips,
  gzipBomb,
  hangs,
  resets,
  sendsBytes,
  sendsGarbage,
} from '../support/misbehaving-upstream.ts'
import { until } from '../support/until.ts'
import type { Fault, Faults, Stage } from './stage.ts'

/** So many polls in a row must have failed. */
const FAILURES = 2

const MEBIBYTE = 1024 * 1024
const bomb = await gzipBomb(300 * MEBIBYTE)

/** The feed does so until its failure is noticed, and then works again. */
const feed =
  (behaviour: Behaviour): Fault =>
  async ({ feed, fleet }) => {
    feed.misbehave(behaviour)
    try {
      await until(async () => Math.max(...(await failedPolls(fleet))) >= FAILURES, 'failed polls', 60_000)
    } finally {
      feed.behave()
    }
    await until(async () => Math.max(...(await failedPolls(fleet))) === 0, 'the feed being back', 60_000)
  }

const failedPolls = (fleet: Stage['fleet']) =>
  Promise.all(fleet.map(async instance => (await instance.metric('pds_feed_failed_polls')) ?? 0))

/** Faults of the feed. */
export const FEED_FAULTS: Faults = {
  'the feed resets connections': feed(resets),
  'the feed does not answer': feed(hangs),
  'the feed sends a byte at a time': feed(drips),
  'the feed sends what is not HTTP': feed(sendsGarbage),
  'the feed answers with a web page': feed(answers('<html>', { 'content-type': 'text/html' })),
  'the feed sends 50 MB': feed(sendsBytes(50 * MEBIBYTE)),
  'the feed sends JSON nested 200,000 deep': feed(answers(deepJson(200_000))),
  'the feed sends a gzip bomb': feed(answers(bomb, { 'content-encoding': 'gzip' })),
  'the feed redirects': feed(answersStatus(302, { location: 'http://169.254.169.254/' })),
  'the feed answers 429': feed(answersStatus(429, { 'retry-after': '2' })),
}
