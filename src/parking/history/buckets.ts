import type { ReadingSummary } from '../../store/store.ts'
import type { Bucket } from './history-schema.ts'

/**
 * Merges summaries, each of which lies in one bucket, into buckets in the order of `codes` and time. Buckets
 * without readings are included; none is interpolated.
 */
export function fillBuckets(
  summaries: readonly ReadingSummary[],
  bounds: readonly number[],
  codes: readonly string[],
): Bucket[] {
  const byCode = new Map(codes.map(code => [code.toUpperCase(), new Map<number, Sum>()]))
  let place = 0
  for (const summary of summaries) {
    while (summary.from >= (bounds[place + 1] ?? Number.POSITIVE_INFINITY)) place++
    const sums = byCode.get(summary.code.toUpperCase())
    sums?.set(place, added(sums.get(place), summary))
  }
  return codes.flatMap(code => {
    const sums = byCode.get(code.toUpperCase())
    return bounds.slice(0, -1).map((from, index) => bucket(code, from, sums?.get(index)))
  })
}

type Sum = Pick<ReadingSummary, 'min' | 'max' | 'sum' | 'count' | 'last'>

function added(before: Sum | undefined, next: ReadingSummary): Sum {
  if (before === undefined) return next
  return {
    min: Math.min(before.min, next.min),
    max: Math.max(before.max, next.max),
    sum: before.sum + next.sum,
    count: before.count + next.count,
    last: next.last,
  }
}

function bucket(code: string, from: number, sum: Sum | undefined): Bucket {
  const time = new Date(from).toISOString()
  if (sum === undefined) return { code, from: time, min: null, max: null, mean: null, last: null, count: 0 }
  const { min, max, last, count } = sum
  return { code, from: time, min, max, mean: Math.round((sum.sum / count) * 100) / 100, last, count }
}
