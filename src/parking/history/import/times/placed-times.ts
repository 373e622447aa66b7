import type { LocalClock } from '../../../local-clock.ts'
import { REJECTED, type ReadingTable, WRITTEN } from '../reading-table.ts'
import { oldestFirst } from './file-order.ts'
import { instantsOf } from './instants.ts'
import type { TwiceShown } from './repeated-hours.ts'

/**
 * Makes an instant of each local time that the clock shows once. Calls `reject` for those that it never shows, and gives
 * those that it shows twice, oldest first as the file has them.
 */
export function placeTimes(
  table: ReadingTable,
  { clock, newestFirst }: { readonly clock: LocalClock; readonly newestFirst: boolean },
  reject: (at: number) => void,
): TwiceShown[] {
  const twice: TwiceShown[] = []
  let lastTime = Number.NaN
  let last: readonly number[] = []
  for (const at of oldestFirst(table.length, newestFirst)) {
    if (table.written[at] !== WRITTEN.local || table.spaces[at] === REJECTED) continue
    const time = table.times[at] as number
    if (time !== lastTime) last = instantsOf(time, clock)
    lastTime = time
    const [earlier, later] = last
    if (earlier === undefined) reject(at)
    else if (later === undefined) {
      table.times[at] = earlier
      table.written[at] = WRITTEN.instant
    } else twice.push({ at, earlier, putBackBy: later - earlier })
  }
  return twice
}
