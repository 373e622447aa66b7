import { MINUTE_MS } from '../values/time-units.ts'

/** Called when a spell of faults begins, and when it has ended, with the number of its faults. */
export interface SpellHandlers {
  readonly onBegin: () => void
  readonly onEnd: (faults: number) => void
  /** A spell ends when this many milliseconds have passed without a fault. */
  readonly quietMs?: number
}

/** Returns a function that records one fault. Successive faults form one spell and are reported together. */
export function trackSpell({ onBegin, onEnd, quietMs = MINUTE_MS }: SpellHandlers): () => void {
  let faults = 0
  let ending: NodeJS.Timeout | undefined
  return () => {
    faults++
    if (ending !== undefined) {
      ending.refresh()
      return
    }
    onBegin()
    ending = setTimeout(() => {
      ending = undefined
      onEnd(faults)
      faults = 0
    }, quietMs).unref()
  }
}
