import Type, { type TObject } from 'typebox'
import * as field from '../../datasets/fields.ts'
import { changedFields, changesDocument, each } from '../../releases/diff/changes.ts'
import type { Change, Differences } from '../../releases/diff/diff.ts'
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

/** One of the two releases that are compared. */
const ComparedRelease = Type.Pick(KeptRelease, ['release', 'hash', 'rows', 'publishedAt'], {
  $id: 'ComparedRelease',
  title: 'Compared release',
})

/** Describes a release as one side of a comparison. */
const describeCompared = ({ number, hash, rows, publishedAt }: Release) => ({
  release: number,
  hash,
  rows,
  publishedAt,
})

/** The schema of the changes to the records of a list. */
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

/** How a dataset differs between two releases. */
interface ReleaseChanges {
  readonly dataset: string
  readonly from: Release
  readonly to: Release
  readonly differences: Differences
}

/** The names of the formats of changes. */
export type ChangesFormat = 'json' | 'ndjson'

/** Writes changes in chunks, so that memory never holds all of them. */
export const writeChanges = (changes: ReleaseChanges, format: ChangesFormat): AsyncGenerator<Buffer> =>
  inChunks(format === 'json' ? jsonOf(changes) : linesOf(changes))

/** The compared releases and counts: both formats begin with them. */
const headOf = ({ dataset, from, to, differences: { counts } }: ReleaseChanges) => ({
  dataset,
  from: describeCompared(from),
  to: describeCompared(to),
  counts,
})

function jsonOf(changes: ReleaseChanges): AsyncGenerator<string> {
  const { differences } = changes
  return changesDocument(headOf(changes), {
    added: differences.added(),
    changed: each(differences.changed(), describeChange),
    removed: differences.removed(),
  })
}

async function* linesOf(changes: ReleaseChanges): AsyncGenerator<string> {
  const { differences } = changes
  const line = (change: string, value: object) => `${JSON.stringify({ change, ...value })}\n`
  yield `${JSON.stringify(headOf(changes))}\n`
  for await (const record of differences.added()) yield line('added', { record })
  for await (const change of differences.changed()) yield line('changed', describeChange(change))
  for await (const record of differences.removed()) yield line('removed', { record })
}

const describeChange = ({ from, to }: Change) => ({
  record: to,
  before: Object.fromEntries(
    Object.entries(changedFields(from, to)).map(([field, { from }]) => [field, from]),
  ),
})

const CHUNK_CHARACTERS = 65_536

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting !== '') yield Buffer.from(waiting)
}
