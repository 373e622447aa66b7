import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work in steps, between which others may have a turn. */
export type Steps<T> = Generator<undefined, T>

/** The rows of a step, which takes about a millisecond once the code is hot. */
export const STEP_ROWS = 1 << 16

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Takes each step in a turn of the event loop. */
export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await nextTurn()
  }
}
