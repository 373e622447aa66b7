import { DAY_MS } from '../values/time-units.ts'
import { MEMORY_DAYS } from './forecast/parameters.ts'
import type { Quality } from './quality/quality.ts'

/** How long assessments are kept: as long as the counts that forecasts learn from, which a rebuild reads. */
export const ASSESSED_MS = MEMORY_DAYS * DAY_MS

/** Readings from one time to another, both included, that cannot be trusted. */
export interface Untrusted {
  readonly from: number
  readonly to: number
  readonly quality: Quality
}

/** Creates the record of one car park's readings that cannot be trusted, as far as is known now. */
export function createUntrusted() {
  /** In the order of time, without overlaps. */
  const spans: Untrusted[] = []
  return {
    /** Adds readings up to the present one. This replaces earlier assessments of the same readings. */
    add(span: Untrusted): void {
      while ((spans.at(-1)?.from ?? Number.NEGATIVE_INFINITY) >= span.from) spans.pop()
      const last = spans.at(-1)
      if (last !== undefined && last.to >= span.from) spans.splice(-1, 1, { ...last, to: span.from - 1 })
      spans.push(span)
      while ((spans[0]?.to ?? Number.POSITIVE_INFINITY) < span.to - ASSESSED_MS) spans.shift()
    },
    /** The spans that reach into a period, from its start until before its end. */
    within: (from: number, to: number): Untrusted[] =>
      spans.filter(span => span.to >= from && span.from < to),
  }
}
