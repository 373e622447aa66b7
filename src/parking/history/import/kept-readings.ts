import type { FileRows } from './file-rows.ts'
import { openAt, REJECTED } from './reading-table.ts'

/** Callbacks for readings that are not kept, by place in the table. */
export interface Refused {
  skip(at: number): void
  reject(at: number, reason: string): void
}

/** How far the feed's clock may be ahead of this one (design 7). */
const SKEW_MS = 60_000

/** The places of the readings to keep, in the order of time and then of car parks as the file has them. */
export function keepReadings(
  { table, carParks }: FileRows,
  now: number,
  { skip, reject }: Refused,
): number[] {
  const { times, spaces, carParks: ofCarPark, statuses, lines } = table
  const order: number[] = []
  for (let at = 0; at < table.length; at++) {
    if (spaces[at] === REJECTED) continue
    if ((times[at] as number) > now + SKEW_MS) reject(at, 'lies in the future')
    else order.push(at)
  }
  order.sort(
    (a, b) =>
      (times[a] as number) - (times[b] as number) ||
      (ofCarPark[a] as number) - (ofCarPark[b] as number) ||
      a - b,
  )
  let kept = -1
  return order.filter(at => {
    if (kept === -1 || times[at] !== times[kept] || ofCarPark[at] !== ofCarPark[kept]) {
      kept = at
      return true
    }
    const isSame =
      spaces[at] === spaces[kept] &&
      statuses[at] === statuses[kept] &&
      openAt(table, at) === openAt(table, kept)
    if (isSame) skip(at)
    else
      reject(
        at,
        `is another reading of ${carParks[ofCarPark[at] as number]?.code} at the same time than on line ${lines[kept]}`,
      )
    return false
  })
}
