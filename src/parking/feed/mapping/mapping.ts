import { FetchError } from '../../../sources/fetch/fetch-error.ts'
import type { LiveEntry, UncountedEntry } from '../../../store/store.ts'
import { isObject } from '../../../values/values.ts'
import { MalformedEntryError, own, plainText, readEntry, readUncounted, shown } from './entry.ts'

/** The contents of one payload of the feed. */
export interface FeedReading {
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
