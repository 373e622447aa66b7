import { MINUTE_MS } from '../../values/time-units.ts'

/** What happens when an incident begins and when it has ended, with the number of its faults. */
export interface IncidentHandlers {
  readonly onBegin: () => void
  readonly onEnd: (faults: number) => void
  /** An incident ends when this many milliseconds have passed without a fault. */
  readonly quietMs?: number
}

/** Returns a function that records one fault. Faults that follow each other are one incident, reported as one. */
export function trackIncident({ onBegin, onEnd, quietMs = MINUTE_MS }: IncidentHandlers): () => void {
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
