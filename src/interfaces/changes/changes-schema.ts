import Type, { type TObject } from 'typebox'
import * as field from '../../datasets/fields.ts'
import type { Release } from '../../store/store.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Numbers of records. */
const ChangeCounts = Type.Object(
  {
    added: count('Records that are new.'),
    changed: count('Records with the same id or fingerprint and other content.'),
    removed: count('Records that are gone.'),
  },
  { $id: 'ChangeCounts', title: 'Counts of changes' },
)

/** A release that the store keeps. */
export const KeptRelease = Type.Object(
  {
    release: Type.Integer({ minimum: 1, description: 'Its number: it counts up, and none is given twice.' }),
    hash: Type.String({ description: 'SHA-256 over its records.' }),
    rows: count('Number of records.'),
    publishedAt: Type.String({ format: 'date-time', description: 'When it was published.' }),
    currentSince: field.nullableTimestamp({
      description: 'Since when it is served: after a rollback later than publishedAt. Null if it is not.',
    }),
    synthetic: Type.Boolean({ description: 'True for invented data.' }),
    changes: ChangeCounts,
  },
  {
    $id: 'KeptRelease',
    title: 'Release',
    description: 'A release. Its changes are those from the release that was served before it.',
  },
)

/** A release in the form of {@link KeptRelease}. */
export const describeKept = ({ number, hash, rows, publishedAt, currentSince, ...release }: Release) => ({
  ...{ release: number, hash, rows, publishedAt, currentSince },
  ...{ synthetic: release.synthetic, changes: release.changes },
})

/** One of the two releases that are compared. */
const ComparedRelease = Type.Pick(KeptRelease, ['release', 'hash', 'rows', 'publishedAt'], {
  $id: 'ComparedRelease',
  title: 'Compared release',
})

/** A release in the form of a side of a comparison. */
export const describeCompared = ({ number, hash, rows, publishedAt }: Release) => ({
  ...{ release: number, hash, rows, publishedAt },
})

/** What changed in the records of a list. */
export const changesResponse = (item: TObject) =>
  Type.Object({
    dataset: Type.String({ description: 'Name of the dataset.' }),
    from: ComparedRelease,
    to: ComparedRelease,
    counts: ChangeCounts,
    added: Type.Array(item, { description: 'The new records.' }),
    changed: Type.Array(
      Type.Object({
        record: item,
        before: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The fields that changed, with their earlier values; null where there was none.',
        }),
      }),
      { description: 'The records that changed, as they are now.' },
    ),
    removed: Type.Array(item, { description: 'The records that are gone, as they last were.' }),
  })
