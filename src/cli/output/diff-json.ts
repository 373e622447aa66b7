import { changedFields } from '../../releases/diff/changed-fields.ts'
import type { Diff } from '../../releases/diff/diff.ts'
import type { Change } from '../../releases/diff/differences.ts'
import { escapeUnseen } from './print.ts'

/** Formats a diff as one JSON document for machines, a record a line, so that no list need be in memory as a whole. */
export async function* diffJson(dataset: string, { from, to, differences }: Diff): AsyncGenerator<string> {
  const { counts } = differences
  const head = { dataset, from: sideOf(from), to: sideOf(to), counts }
  yield jsonOf(head).slice(0, -1)
  yield* listOf('added', differences.added())
  yield* listOf('removed', differences.removed())
  yield* listOf('changed', differences.changed(), ({ key, from, to }: Change) => ({
    ...{ id: key, fields: changedFields(from, to), record: to },
  }))
  yield '}\n'
}

function sideOf(side: Diff['to']) {
  if ('number' in side) return { release: side.number, hash: side.hash, rows: side.rows }
  const { source, hash, accepted, ...report } = side
  return { source, hash, rows: accepted, ...report }
}

async function* listOf<T>(
  name: string,
  items: AsyncIterable<T>,
  toValue: (item: T) => unknown = item => item,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let before = '\n'
  for await (const item of items) {
    yield before + jsonOf(toValue(item))
    before = ',\n'
  }
  yield ']'
}

const jsonOf = (value: unknown) => escapeUnseen(JSON.stringify(value))
