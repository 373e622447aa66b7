import type { LocalClock } from '../../../local-clock.ts'

const DAY_MS = 86_400_000

/** Finds the instants at which the clock shows a time: none in the spring gap, two in the repeated autumn hour. */
export function instantsOf(wallTime: number, clock: LocalClock): readonly number[] {
  // A change of the clock has the offset of before a day before it, and that of after a day after.
  const [before, after] = [-DAY_MS, DAY_MS].map(away => {
    const near = wallTime + away
    return wallTime - (clock.wallTime(near) - near)
  }) as [number, number]
  const instants = before === after ? [before] : [before, after].sort((a, b) => a - b)
  return instants.filter(instant => clock.wallTime(instant) === wallTime)
}
