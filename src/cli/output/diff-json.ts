import { changedFields, changesDocument, each } from '../../releases/diff/changes.ts'
import type { Diff } from '../../releases/diff/diff.ts'
import { escapeUnseen } from './print.ts'

/** Formats a diff as one JSON document for machines, a record a line, so that no list need be in memory as a whole. */
export async function* diffJson(dataset: string, { from, to, differences }: Diff): AsyncGenerator<string> {
  const compared = { dataset, from: sideOf(from), to: sideOf(to), counts: differences.counts }
  const lists = {
    added: differences.added(),
    removed: differences.removed(),
    changed: each(differences.changed(), ({ key, from, to }) => ({
      ...{ id: key, fields: changedFields(from, to), record: to },
    })),
  }
  for await (const piece of changesDocument(compared, lists, '\n')) yield escapeUnseen(piece)
}

function sideOf(side: Diff['to']) {
  if ('number' in side) return { release: side.number, hash: side.hash, rows: side.rows }
  const { source, hash, accepted, ...report } = side
  return { source, hash, rows: accepted, ...report }
}
