import { createHash } from 'node:crypto'
import { type Representation, tagOf } from '../../http/representation.ts'
import type { DatasetContext } from '../dataset.ts'

/** A kept answer is better than none while the feed or the service fails, but free spaces soon mislead. */
const STALE_IF_ERROR_S = 600
const MINUTE_MS = 60_000

/** An answer that is made from the live feed and its past: good until the next reading may be here. */
export function liveRepresentation(context: DatasetContext, body: Buffer, type?: string): Representation {
  const { live, watch, release } = context
  return {
    tag: tagOf('live', createHash('sha256').update(body).digest('hex')),
    lastModified: new Date(latestOf(live.latest()?.timestamp, release()?.currentSince) ?? watch.now()),
    maxAge: live.secondsToNext(),
    staleIfError: STALE_IF_ERROR_S,
    synthetic: live.synthetic || release()?.synthetic === true,
    ...(type === undefined ? {} : { type }),
    body,
  }
}

const latestOf = (...times: readonly (string | null | undefined)[]): string | undefined =>
  times
    .flatMap(time => time ?? [])
    .sort()
    .at(-1)

/** Tells answers apart that depend on what is known of the counts, on the car parks, and on the second. */
export function secondVersion(context: DatasetContext): () => unknown {
  return versionOf(() => [...known(context), context.live.secondsToNext()])
}

/** The same for answers that depend on the time by the minute alone. */
export function minuteVersion(context: DatasetContext): () => unknown {
  return versionOf(() => [...known(context), Math.floor(context.watch.now() / MINUTE_MS)])
}

const known = ({ live, watch, release }: DatasetContext): unknown[] => [
  live.latest(),
  watch.version(),
  release(),
]

/** Gives the same list as long as all in it is the same. */
function versionOf(parts: () => readonly unknown[]): () => unknown {
  let last: readonly unknown[] = []
  return () => {
    const now = parts()
    if (now.length !== last.length || now.some((part, place) => part !== last[place])) last = now
    return last
  }
}
