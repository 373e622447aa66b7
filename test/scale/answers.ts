import assert from 'node:assert/strict'
import { timeIn } from '../support/made-up-carparks.ts'
import { releaseIn } from '../support/numbered-releases.ts'
import type { NumberedRegister } from '../support/numbered-vehicles.ts'
import type { Answer } from '../support/serving.ts'

const TOILETS = '/v1/toilets'
const LIVE = '/v1/carparks/live-spaces'

/** Judges answers of all instances together. */
export interface AnswerJudge {
  readonly paths: readonly string[]
  /**
   * Fails unless an answer is wholly of one release, or of one reading, and the same, body and ETag, as any instance has
   * given to that path from that release. Gives the release's number, or the reading's time.
   */
  judge(answer: Answer, path: string): number
  /** The age of the oldest reading since this was asked last, in seconds. */
  oldestReadingS(): number
}

/** Of what else asks, by path: fails if the answer is wrong, and gives its release. */
export type ReleaseChecks = Readonly<Record<string, (answer: Answer) => number>>

/** Makes a judge that knows what each release holds, and what more is told. */
export function answerJudge(register: NumberedRegister, more: ReleaseChecks = {}): AnswerJudge {
  const known = new Map<string, { number: number; etag: string }>()
  const bodies = new Map<string, string>()
  const checks: ReleaseChecks = { [TOILETS]: answer => releaseIn(TOILETS, answer), ...more }
  let oldestMs = 0

  function judgeLive(answer: Answer): number {
    const time = timeIn(answer)
    oldestMs = Math.max(oldestMs, Date.now() - time)
    return time
  }

  /** Judging a body takes longer than comparing it with one that was judged. */
  function judgeRelease(answer: Answer, path: string): number {
    const etag = String(answer.headers.etag)
    const same = known.get(path + answer.text)
    if (same !== undefined) {
      assert.equal(etag, same.etag, `${path}: one body has two ETags`)
      return same.number
    }
    const number = (checks[path] ?? (answer => register.releaseIn(path, answer)))(answer)
    const body = bodies.get(`${path} ${number}`) ?? answer.text
    assert.equal(answer.text, body, `${path}: release ${number} has two bodies`)
    bodies.set(`${path} ${number}`, body)
    known.set(path + answer.text, { number, etag })
    return number
  }

  return {
    paths: [...register.paths, TOILETS, LIVE, ...Object.keys(more)],
    judge: (answer, path) => (path === LIVE ? judgeLive(answer) : judgeRelease(answer, path)),
    oldestReadingS() {
      const seconds = oldestMs / 1000
      oldestMs = 0
      return seconds
    },
  }
}
