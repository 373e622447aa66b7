import { isDeepStrictEqual } from 'node:util'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import type { LiveEntry, Observation, UncountedEntry } from '../../store/store.ts'
import { isObject } from '../../values/values.ts'
import type { FeedClock } from './feed.ts'
import { type ClockState, initialClockState, readFeedTime, resolveTimestamp } from './time-text.ts'

/** The contents of one payload of the feed. */
interface FeedReading {
  /** At least one, each code once, in the feed's order. */
  readonly entries: readonly LiveEntry[]
  /** Car parks without a usable count. */
  readonly uncounted: readonly UncountedEntry[]
  /** The feed's own text of its time. */
  readonly timeText: string | undefined
  /** The dropped entries with their faults, one line each. */
  readonly warnings: readonly string[]
  /** The codes of dropped entries, as far as they are readable. */
  readonly droppedCodes: readonly string[]
}

const MAX_ENTRIES = 500

/**
 * Maps a payload of the feed: `carparkData`, any number of regions under any key, in each a list `carpark`; the time
 * text beside the regions (spec 4.5). A malformed entry is dropped with a warning. Throws {@link FetchError}:
 * `unreadable` for another shape, `too-large` for more than 500 entries, `empty` where no entry is left.
 */
export function mapFeed(payload: unknown): FeedReading {
  const data = isObject(payload) ? own(payload, 'carparkData') : undefined
  if (!isObject(payload) || !isObject(data))
    throw new FetchError('unreadable', 'the response has no object carparkData')
  const raw = Object.values(data).flatMap(entriesOfRegion)
  if (raw.length > MAX_ENTRIES)
    throw new FetchError('too-large', `the response has ${raw.length} entries, more than ${MAX_ENTRIES}`)
  const { entries, ...others } = readEntries(raw)
  if (entries.length === 0)
    throw new FetchError(
      'empty',
      raw.length === 0
        ? 'the list is empty'
        : `no entry is usable: ${others.warnings[0] ?? 'all car parks are closed and have no count'}`,
    )
  const timeText = own(data, 'timestamp') ?? own(payload, 'timestamp')
  return { entries, ...others, timeText: typeof timeText === 'string' ? timeText : undefined }
}

function entriesOfRegion(region: unknown): readonly unknown[] {
  const list = isObject(region) ? own(region, 'carpark') : undefined
  if (Array.isArray(list)) return list
  // A list of one, converted from XML, is the item itself.
  return isObject(list) ? [list] : []
}

function readEntries(raw: readonly unknown[]): Omit<FeedReading, 'timeText'> {
  const byCode = new Map<string, LiveEntry>()
  const uncounted = new Map<string, UncountedEntry>()
  const warnings: string[] = []
  const droppedCodes: string[] = []
  for (const [index, item] of raw.entries()) {
    try {
      const entry = readEntry(item)
      // Codes are looked up without regard to case (design 7), so they are compared without it.
      const key = entry.code.toUpperCase()
      if (byCode.has(key)) throw new MalformedEntryError('an earlier entry has the same code')
      byCode.set(key, entry)
    } catch (error) {
      if (!(error instanceof MalformedEntryError)) throw error
      const code = isObject(item) ? own(item, 'code') : undefined
      if (typeof code === 'string') droppedCodes.push(plainText(code))
      const entry = readUncounted(item)
      if (entry !== undefined) uncounted.set(entry.code.toUpperCase(), entry)
      // A closed car park has nothing to count.
      if (entry?.open !== false)
        warnings.push(`entry ${index + 1} (code ${shown(code)}) dropped: ${error.message}`)
    }
  }
  for (const key of byCode.keys()) uncounted.delete(key)
  return { entries: [...byCode.values()], uncounted: [...uncounted.values()], warnings, droppedCodes }
}

/** A payload of the feed is 5 levels deep. */
const MAX_DEPTH = 32

/** Parses untrusted JSON; skips a byte order mark. Throws {@link FetchError} of kind `unreadable`. */
export function parseJsonText(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (json.trim() === '') throw new FetchError('unreadable', 'the response is empty')
  // Checked before parsing: the parser takes time and stack for 200,000 levels, this scan stops at the 33rd.
  if (isDeeperThan(MAX_DEPTH, json))
    throw new FetchError('unreadable', `the response is nested more than ${MAX_DEPTH} levels deep`)
  try {
    return JSON.parse(json)
  } catch (cause) {
    // The parser's own message quotes the text: not for the log.
    throw new FetchError('unreadable', 'the response is not valid JSON', { cause })
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

function isDeeperThan(limit: number, json: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === QUOTE) inString = !inString
    else if (inString && character === BACKSLASH) at++
    else if (!inString && OPENING.includes(character) && ++depth > limit) return true
    else if (!inString && CLOSING.includes(character)) depth--
  }
  return false
}

const MAX_SPACES = 100_000
const MAX_LENGTH = { name: 200, code: 64, status: 100 }

/** An entry of the feed is invalid; the message says why. */
export class MalformedEntryError extends Error {
  override name = 'MalformedEntryError'
}

/** Reads one entry of the feed's list (spec 4.5). Throws {@link MalformedEntryError}. */
export function readEntry(raw: unknown): LiveEntry {
  if (!isObject(raw)) throw new MalformedEntryError(`it is ${shown(raw)}, not an object`)
  if (Object.hasOwn(raw, '__proto__')) throw new MalformedEntryError('it holds a key __proto__')
  const code = readText(raw, 'code')
  if (code === '__proto__') throw new MalformedEntryError('code is __proto__')
  return {
    name: readText(raw, 'name'),
    code,
    spaces: readSpaces(own(raw, 'spaces')),
    status: readText(raw, 'status'),
    open: open(own(raw, 'carparkOpen')),
  }
}

/** Reads an entry that is malformed only in its count; undefined for any other fault. */
function readUncounted(raw: unknown): UncountedEntry | undefined {
  try {
    const { spaces: _, ...entry } = readEntry(isObject(raw) ? { ...raw, spaces: 0 } : raw)
    return entry
  } catch (error) {
    if (error instanceof MalformedEntryError) return undefined
    throw error
  }
}

/** The value of the object's own key, in any case; the exact key goes first. */
export function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(object, key)) return object[key]
  const other = Object.keys(object).find(name => name.toLowerCase() === key.toLowerCase())
  return other === undefined ? undefined : object[other]
}

/** The text of a key, on one line. Throws {@link MalformedEntryError}. */
export function readText(raw: Readonly<Record<string, unknown>>, key: keyof typeof MAX_LENGTH): string {
  const value = own(raw, key)
  if (typeof value !== 'string') throw new MalformedEntryError(`${key} is ${shown(value)}, not text`)
  if (value.length > MAX_LENGTH[key])
    throw new MalformedEntryError(`${key} has ${value.length} characters, more than ${MAX_LENGTH[key]}`)
  const plain = plainText(value)
  if (plain === '') throw new MalformedEntryError(`${key} is blank`)
  return plain
}

/** A number of free spaces. Throws {@link MalformedEntryError}. */
export function readSpaces(value: unknown): number {
  const written = typeof value === 'string' ? value.trim() : value
  const number =
    typeof written === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(written) ? Number(written) : written
  if (typeof number !== 'number') throw new MalformedEntryError(`spaces is ${shown(value)}, not a number`)
  if (!Number.isInteger(number)) throw new MalformedEntryError(`spaces is ${number}, not a whole number`)
  if (number < 0) throw new MalformedEntryError(`spaces is ${number}, below 0`)
  if (number > MAX_SPACES) throw new MalformedEntryError(`spaces is ${number}, more than ${MAX_SPACES}`)
  // Turns -0 into 0.
  return number + 0
}

function open(value: unknown): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw new MalformedEntryError(`carparkOpen is ${shown(value)}, neither true nor false`)
}

/** The text on one line: blanks and line ends joined to one blank, control and invisible characters cut, trimmed. */
export function plainText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
}

const SHOWN = 40

/** A value from outside in a form that is safe and short enough for a log line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(plainText(value.slice(0, SHOWN)))
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : String(value)
}

type NamedEntry = Pick<LiveEntry, 'code' | 'name'>

/**
 * Creates a detector that compares each list with the list before, the first one with `known`. It returns undefined if the
 * lists differ only in counts and order, or if there is no list before. Codes that were dropped as malformed count as present:
 * their fault is already a warning.
 */
export function detectEntryChanges(known?: readonly LiveEntry[]) {
  let before = known && byKey(known)
  return (entries: readonly LiveEntry[], droppedCodes: readonly string[]) => {
    const dropped = droppedCodes.flatMap(code => before?.get(code.toUpperCase()) ?? [])
    const [previous, current] = [before, byKey([...dropped, ...entries])]
    before = current
    return previous && differences(previous, current)
  }
}

type ByKey = Map<string, NamedEntry>

/** Codes are compared without regard to case, as everywhere (design 7). */
const byKey = (entries: readonly NamedEntry[]): ByKey =>
  new Map(entries.map(({ code, name }) => [code.toUpperCase(), { code, name }]))

/** The changes of the feed's list since the list before, for the operator; undefined if nothing changed. */
function differences(before: ByKey, after: ByKey) {
  const onlyIn = (some: ByKey, others: ByKey) =>
    [...some].flatMap(([key, entry]) => (others.has(key) ? [] : [entry]))
  const renamed = [...after].flatMap(([key, entry]) => {
    const name = before.get(key)?.name ?? entry.name
    return name === entry.name ? [] : [{ ...entry, before: name }]
  })
  const changes = { appeared: onlyIn(after, before), gone: onlyIn(before, after), renamed }
  return Object.values(changes).every(list => list.length === 0) ? undefined : changes
}

/** The state that a response is compared with. */
interface ObservationContext {
  readonly now: Date
  /** The zone of the feed's time text. */
  readonly timeZone: string
  /** The last observation. */
  readonly last?: Observation | undefined
  /** The clock state after the last response; by default it is derived from `last`. */
  readonly clockState?: ClockState
}

/** A line for the operator. Warnings with the same fault count as one, though the numbers in their texts differ. */
export interface FeedWarning {
  readonly fault: string
  readonly text: string
}

/**
 * Turns the text of a response into an observation: its entries, and the timestamp of {@link resolveTimestamp}. Throws
 * {@link FetchError} if the response is unusable.
 */
export function observe(text: string, context: ObservationContext) {
  const { now, timeZone, last } = context
  const before = context.clockState ?? initialClockState(last && Date.parse(last.timestamp))
  const { entries, uncounted, timeText = '', warnings, droppedCodes } = mapFeed(parseJsonText(text))
  const time = readFeedTime(timeText, { now, timeZone, previous: last?.timestamp })
  // A stored observation has no list of uncounted car parks: an empty list would make it differ.
  const read = uncounted.length === 0 ? { entries } : { entries, uncounted }
  const sameEntries = last !== undefined && areSame(read, last)
  const { outcome, state: clockState } = resolveTimestamp(before, { time, now: now.getTime(), sameEntries })
  const timestamp = new Date(clockState.stamp).toISOString()
  const observation: Observation | undefined = outcome === 'new' ? { timestamp, ...read } : undefined
  const timeFault = outcome === 'older' ? outcome : clockState.clock
  return {
    /** Undefined if the response repeats the last one, or is older and ignored. */
    observation,
    warnings: [...warnings.map(asWarning), ...timeWarnings(timeFault, shown(timeText), timestamp)],
    /** Codes of dropped entries, as far as they are readable. */
    droppedCodes,
    clockState,
  }
}

type Entries = Pick<Observation, 'entries' | 'uncounted'>

const areSame = (some: Entries, others: Entries): boolean =>
  isDeepStrictEqual(some.entries, others.entries) &&
  isDeepStrictEqual(some.uncounted ?? [], others.uncounted ?? [])

/** The fault is the text without its numbers: another count or position in the list is not another fault. */
const asWarning = (text: string): FeedWarning => ({
  fault: text.replace(/^entry \d+/, 'entry').replace(/ is -?\d[\d.e+]*/, ' is a number'),
  text,
})

type TimeFault = FeedClock | 'older'

function timeWarnings(fault: TimeFault, words: string, last: string): FeedWarning[] {
  const text = TIME_WARNINGS[fault]?.(words, last)
  return text === undefined ? [] : [{ fault, text }]
}

/** By fault; `last` is the time of the last reading. */
const TIME_WARNINGS: Partial<Record<TimeFault, (words: string, last: string) => string>> = {
  older: (words, last) => `the response is ignored: ${words} is older than the last reading, ${last}`,
  unreadable: words => `the time of the fetch is used: the feed's time ${words} is not a time`,
  ahead: words => `the time of the fetch is used: the feed's time ${words} lies in the future`,
  behind: words =>
    `the feed's clock seems to be behind this machine's (it may ignore summer time): it shows ${words}`,
}
