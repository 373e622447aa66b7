import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import type { Shown } from '../live/keep-current.ts'
import { useCurrent } from '../live/use-current.ts'
import type { Counts } from './load-counts.ts'
import { takeEvent } from './row.ts'

/** Gives the counts of car parks: first the rendered counts, and in the browser the newest counts. */
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
