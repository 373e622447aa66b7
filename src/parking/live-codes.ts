import type { DependentCheck } from '../releases/import/checks/checks.ts'
import type { ReadingStore } from '../store/store.ts'
import { inWords, listed } from '../values/text.ts'

/** The name of the check of live codes. */
export const LIVE_CODES = 'live-codes'

/** The check that a list of car parks keeps the codes, in `field`, of car parks with live counts or a history of counts. */
export const liveCodes = (
  field: string,
  readings: Pick<ReadingStore, 'latestObservation' | 'keptHistory'>,
): DependentCheck => ({
  name: LIVE_CODES,
  field,
  async findings(lost) {
    if (lost.length === 0) return []
    const latest = await readings.latestObservation()
    const counted = [...(latest?.entries ?? []), ...(await readings.keptHistory())]
    const codes = new Set(counted.map(({ code }) => code.toUpperCase()))
    const missed = lost.filter(({ value }) => codes.has(value.toUpperCase()))
    const named = inWords(listed(missed), ({ name, value }) => `${name} (${value})`)
    return missed.length === 0 ? [] : [`live parking would lose ${named}`]
  },
})
