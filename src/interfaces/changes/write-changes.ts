import { changedFields, changesDocument, each } from '../../releases/diff/changes.ts'
import type { Change, Differences } from '../../releases/diff/diff.ts'
import type { Release } from '../../store/store.ts'
import { describeCompared } from './changes-schema.ts'

/** How a dataset differs between two releases. */
export interface ReleaseChanges {
  readonly dataset: string
  readonly from: Release
  readonly to: Release
  readonly differences: Differences
}

/** The names of the formats in which changes are written. */
export type ChangesFormat = 'json' | 'ndjson'

/** Writes changes in chunks, so that they need not be in memory as a whole. */
export const writeChanges = (changes: ReleaseChanges, format: ChangesFormat): AsyncGenerator<Buffer> =>
  inChunks(format === 'json' ? jsonOf(changes) : linesOf(changes))

/** The compared releases and counts, with which both formats begin. */
const headOf = ({ dataset, from, to, differences: { counts } }: ReleaseChanges) => ({
  ...{ dataset, from: describeCompared(from), to: describeCompared(to), counts },
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
