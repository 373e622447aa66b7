import { FeedError } from '../fetch/feed-error.ts'

/** A payload of the feed is 5 levels deep. */
const MAX_DEPTH = 32

/** Parses untrusted JSON; skips a byte order mark. Throws {@link FeedError} of kind `unreadable`. */
export function parseJsonText(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (json.trim() === '') throw new FeedError('unreadable', 'the answer is empty')
  // Checked before parsing: the parser takes time and stack for 200,000 levels, this scan stops at the 33rd.
  if (isDeeperThan(MAX_DEPTH, json))
    throw new FeedError('unreadable', `the answer is nested more than ${MAX_DEPTH} levels deep`)
  try {
    return JSON.parse(json)
  } catch (cause) {
    // The parser's own message quotes the text: not for the log.
    throw new FeedError('unreadable', 'the answer is not valid JSON', { cause })
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
