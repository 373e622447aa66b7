import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import type { Shown } from '../live/keep-current.ts'
import { useCurrent } from '../live/use-current.ts'
import type { Counts } from './load-counts.ts'
import { takeEvent } from './row.ts'

/** Gives the counts of car parks as they are to be shown: what the service rendered at first, and in the browser what is so now. */
export const useCounts = (
  initial: Counts,
  load: (get: GetJson, counts: Counts) => Promise<Counts>,
): Shown<Counts> =>
  useCurrent<Counts>({
    ...{ initial, load },
    take: (counts, event) => ({
      ...counts,
      at: event.data.timestamp,
      rows: counts.rows.map(row => takeEvent(row, event)),
    }),
    countedAt: ({ at }) => Date.parse(at ?? ''),
  })
