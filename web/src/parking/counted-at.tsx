import { counts } from '../texts/en/counts.ts'
import { rich } from '../texts/rich.tsx'
import { dayAndTime } from '../words/island-time.ts'

/** The time of the counts, as a sentence. */
export function CountedAt({ at }: { readonly at: string }) {
  return (
    <>{rich(counts.countedAt, { day: dayAndTime(at), time: words => <time dateTime={at}>{words}</time> })}</>
  )
}
