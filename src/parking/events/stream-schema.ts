import Type from 'typebox'
import { LiveQuality } from '../quality/quality-schema.ts'
import { countedFields, feedTimestamp } from '../routes/live-schema.ts'

const StreamEntry = Type.Object(
  { ...countedFields, ...LiveQuality.properties },
  { $id: 'LiveStreamEntry', title: 'Live space entry with its quality' },
)
export type StreamEntry = Type.Static<typeof StreamEntry>

/** The data of the event `snapshot`. */
export const LiveSnapshot = Type.Object(
  {
    results: Type.Array(StreamEntry, {
      description: "An entry for each car park of the feed, in the feed's order.",
    }),
    timestamp: feedTimestamp,
  },
  { $id: 'LiveSnapshot', title: 'All live spaces' },
)
/** The present state of all car parks of the feed, in the feed's order. */
export type LiveNow = Type.Static<typeof LiveSnapshot>

/** The data of the event `change`. */
export const LiveChange = Type.Object(
  {
    results: Type.Array(StreamEntry, {
      description: 'The entries that changed, each whole; put them in place of those with the same code.',
    }),
    timestamp: feedTimestamp,
  },
  { $id: 'LiveChange', title: 'Changed live spaces' },
)
