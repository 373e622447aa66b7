import { changedFields } from '../../releases/diff/changed-fields.ts'
import type { Change, Differences } from '../../releases/diff/differences.ts'
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

/** What is compared, as both formats begin with it. */
const headOf = ({ dataset, from, to, differences }: ReleaseChanges) =>
  JSON.stringify({
    dataset,
    ...{ from: describeCompared(from), to: describeCompared(to), counts: differences.counts },
  })

async function* jsonOf(changes: ReleaseChanges): AsyncGenerator<string> {
  const { differences } = changes
  yield headOf(changes).slice(0, -1)
  yield* listOf('added', differences.added())
  yield* listOf('changed', differences.changed(), describeChange)
  yield* listOf('removed', differences.removed())
  yield '}'
}

async function* listOf<T>(
  name: string,
  items: AsyncIterable<T>,
  toValue: (item: T) => unknown = item => item,
): AsyncGenerator<string> {
  yield `,"${name}":[`
  let separator = ''
  for await (const item of items) {
    yield separator + JSON.stringify(toValue(item))
    separator = ','
  }
  yield ']'
}

async function* linesOf(changes: ReleaseChanges): AsyncGenerator<string> {
  const { differences } = changes
  const line = (change: string, value: object) => `${JSON.stringify({ change, ...value })}\n`
  yield `${headOf(changes)}\n`
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
