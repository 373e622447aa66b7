import type { SharedReading } from './latest-reading.ts'
import type { TimeMemory } from './mapping/timestamp-resolution.ts'
import type { PollHealth } from './poll-status.ts'

/** What the instance that asks the feed tells the others: all that requests and operators see of it. */
export interface Word {
  /** Null before the first. */
  readonly reading: SharedReading | null
  readonly health: PollHealth
  /** Milliseconds until the feed is asked again. */
  readonly nextInMs: number
}

/** Raised whenever the form changes: instances of different versions run side by side while they are upgraded. */
const FORM = 1

/** Writes a word down. */
export function writeWord(word: Word): string {
  return JSON.stringify({ form: FORM, ...word })
}

/** Reads a word; undefined where it is one of another version. */
export function readWord(text: string): Word | undefined {
  const { form, reading, ...word } = JSON.parse(text)
  if (form !== FORM) return undefined
  return { ...word, reading: reading && { ...reading, memory: readMemory(reading.memory) } }
}

/** JSON has no infinity and writes null instead. */
function readMemory(memory: TimeMemory): TimeMemory {
  const { stamp, told, named, older } = memory
  return {
    ...memory,
    ...{ stamp: orNever(stamp), told: orNever(told), older: orNever(older) },
    named: named.map(orNever),
  }
}

const orNever = (time: number | null): number => time ?? Number.NEGATIVE_INFINITY
