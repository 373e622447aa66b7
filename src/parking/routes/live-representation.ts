import { createHash } from 'node:crypto'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { type Representation, tagOf } from '../../http/response/representation.ts'

/** A kept answer is better than none while the feed or the service fails, but free spaces soon mislead. */
const STALE_IF_ERROR_S = 600
const MINUTE_MS = 60_000

/** An answer that tells what the live feed told: good until the next reading may be here. */
export function liveRepresentation(context: DatasetContext, body: Buffer): Representation {
  const { live, watch, release } = context
  return {
    tag: tagOf('live', createHash('sha256').update(body).digest('hex')),
    lastModified: new Date(latestOf(live.latest()?.timestamp, release()?.currentSince) ?? watch.now()),
    maxAge: live.secondsToNext(),
    staleIfError: STALE_IF_ERROR_S,
    synthetic: live.synthetic || release()?.synthetic === true,
    body,
  }
}

/** One that time and the past change as well, between two readings: it is as new as its making. */
export function judgedRepresentation(context: DatasetContext, body: Buffer, type?: string): Representation {
  return {
    ...liveRepresentation(context, body),
    lastModified: new Date(context.watch.now()),
    ...(type === undefined ? {} : { type }),
  }
}

const latestOf = (...times: readonly (string | null | undefined)[]): string | undefined =>
  times
    .flatMap(time => time ?? [])
    .sort()
    .at(-1)

/** Tells answers apart that depend on what is known of the counts, on the car parks, and on the second. */
export function secondVersion(context: DatasetContext): () => unknown {
  const { live, watch } = context
  // Without a feed, or while it is late, there is always the same to wait.
  return versionOf(() => [...known(context), live.secondsToNext(), Math.floor(watch.now() / 1000)])
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
