import { HOUR_MS, sumHours } from './reading-hours.ts'
import type { Writing } from './writing.ts'

/** Drops readings from before a time; resolves to their number. */
export async function dropHistory(writing: Writing, before: number): Promise<number> {
  return writing(async transaction => {
    const dropped = await transaction.deleteFrom('readings').where('at', '<', before).executeTakeFirst()
    if (dropped.numDeletedRows === 0n) return 0
    await transaction.deleteFrom('observations').where('at', '<', before).execute()
    const hour = Math.floor(before / HOUR_MS)
    await transaction.deleteFrom('reading_hours').where('hour', '<', hour).execute()
    await sumHours(transaction, hour, hour + 1)
    return Number(dropped.numDeletedRows)
  })
}
