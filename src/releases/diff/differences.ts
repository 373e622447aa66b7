import type { StoredRecord } from '../../query/query.ts'
import { contentOf, digestOf } from '../../store/encoding/content.ts'
import type { Changes } from '../../store/store.ts'
import { createDigestCounts } from '../../values/digest-counts.ts'
import { createSpool, type Spool } from './spool.ts'

/** A record with the same key on both sides, and different fields. */
export interface Change {
  readonly key: string
  readonly from: StoredRecord
  readonly to: StoredRecord
}

/** The records in which two lists differ: read from them each time, in the newer list's order where memory holds them. */
export type Differences = ReturnType<typeof differencesIn>

/** Takes a record of the newer list. `content` is its canonical text, if known. */
export type TakeRecord = (key: string, record: StoredRecord, content?: string) => void

/**
 * Compares two lists of records by key and content, both of which may repeat, as the store does for an import: unmatched
 * records with the same key on both sides are changed in pairs; the others were added or removed. `before` is read
 * twice, and `readAfter` hands over every record of the newer list once; what it resolves to is passed on. Memory holds a digest of each older record and a
 * bounded part of the differences.
 */
export async function findDifferences<T>(
  before: { readonly rows: number; records(): AsyncIterable<StoredRecord> },
  keyOf: (record: StoredRecord) => string,
  readAfter: (take: TakeRecord) => Promise<T>,
): Promise<{ readonly differences: Differences; readonly after: T }> {
  const unmatched = createDigestCounts(before.rows)
  const spool = createSpool()
  try {
    for await (const record of before.records()) unmatched.add(digestOf(contentOf(record)))
    const after = await readAfter((key, record, content = contentOf(record)) => {
      if (!unmatched.take(digestOf(content))) spool.add(key, lineOf(key, 'to', content))
    })
    if (unmatched.left > 0)
      for await (const record of before.records()) {
        const content = contentOf(record)
        if (!unmatched.take(digestOf(content))) continue
        const key = keyOf(record)
        spool.add(key, lineOf(key, 'from', content))
      }
    return { after, differences: differencesIn(spool, await count(spool)) }
  } catch (error) {
    spool.close()
    throw error
  }
}

type Side = 'from' | 'to'

/** Keys and JSON texts contain no tab. */
const SEPARATOR = '\t'

const lineOf = (key: string, side: Side, content: string) => [key, side, content].join(SEPARATOR)

const recordOf = (content: string): StoredRecord => JSON.parse(content)

function differencesIn(spool: Spool, counts: Changes) {
  return {
    counts,
    async *added() {
      if (counts.added === 0) return
      for await (const { from, to } of groupsIn(spool)) yield* to.slice(from.length).map(recordOf)
    },
    /** In the older list's order. */
    async *removed() {
      if (counts.removed === 0) return
      for await (const { from, to } of groupsIn(spool)) yield* from.slice(to.length).map(recordOf)
    },
    async *changed(): AsyncGenerator<Change> {
      if (counts.changed === 0) return
      for await (const { key, from, to } of groupsIn(spool))
        for (const [index, content] of to.entries()) {
          const other = from[index]
          if (other !== undefined) yield { key, from: recordOf(other), to: recordOf(content) }
        }
    },
    /** Frees what they are kept in. */
    close: spool.close,
  }
}

async function count(spool: Spool): Promise<Changes> {
  const counts = { added: 0, changed: 0, removed: 0 }
  for await (const { from, to } of groupsIn(spool)) {
    const pairs = Math.min(from.length, to.length)
    counts.added += to.length - pairs
    counts.changed += pairs
    counts.removed += from.length - pairs
  }
  return counts
}

/** The unmatched records of one key as text: what is parsed only when it is taken does not outlive a collection. */
interface Group {
  readonly key: string
  readonly from: string[]
  readonly to: string[]
}

async function* groupsIn(spool: Spool): AsyncGenerator<Group> {
  for await (const lines of spool.parts()) {
    const groups = new Map<string, Group>()
    for (const line of lines) {
      const [key = '', side] = line.split(SEPARATOR, 2)
      const group = groups.get(key) ?? { key, from: [], to: [] }
      groups.set(key, group)
      const of = side === 'from' ? side : 'to'
      group[of].push(line.slice(lineOf(key, of, '').length))
    }
    yield* groups.values()
  }
}
