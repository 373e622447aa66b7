import type { Dataset } from '../../datasets/dataset.ts'
import type { StoredRecord } from '../../query/query.ts'
import { changedFields } from '../../releases/diff/changes.ts'
import type { Change, Diff } from '../../releases/diff/diff.ts'
import { storedKey } from '../../releases/import/identity.ts'
import { counted, figure } from '../../values/numbers.ts'
import { changedValueLines } from './changed-value.ts'
import { ignored, issues } from './import-report.ts'
import { shortHash, visible } from './text.ts'

/** Records of each kind that are listed unless all are asked for. */
const LISTED = 20

/** Formats a diff for people, a chunk for each record: its counts, then the records added, removed and changed. */
export async function* diffText(dataset: Dataset, diff: Diff, listsAll: boolean): AsyncGenerator<string> {
  const { differences, to } = diff
  const { counts } = differences
  const most = listsAll ? Number.POSITIVE_INFINITY : LISTED
  const named = (record: StoredRecord) => nameOf(dataset, record)
  yield* lines(summary(dataset.name, diff), ...aboutRows(diff))
  yield* listed('added', counts.added, most, differences.added(), record => [`+ ${named(record)}`])
  yield* listed('removed', counts.removed, most, differences.removed(), record => [`- ${named(record)}`])
  yield* listed('changed', counts.changed, most, differences.changed(), change => [
    `~ ${named(change.to)}`,
    ...fieldLines(change),
  ])
  if (!('number' in to))
    yield* lines(...issues('rejected rows', to.groups.rejections, to.rejected, to.source), ...ignored(to))
}

function* lines(...texts: readonly string[]): Generator<string> {
  if (texts.length > 0) yield `${texts.join('\n')}\n`
}

function summary(name: string, { from, to, differences: { counts } }: Diff): string {
  const [one, other] = [sideText(from), sideText(to)]
  const { added, removed, changed } = counts
  if (added + removed + changed > 0)
    return `${name}: ${one} -> ${other}: ${figure(added)} added, ${figure(removed)} removed, ${figure(changed)} changed`
  const order = from.hash === to.hash ? '' : ' in another order'
  return `${name}: ${one} -> ${other}: the same records${order}`
}

function sideText(side: Diff['to']): string {
  if ('number' in side) return `release ${side.number} (${counted(side.rows, 'row')})`
  const name = side.source === '-' ? 'standard input' : visible(side.source)
  return `${name} (${counted(side.accepted, 'row')})`
}

function aboutRows({ from, to }: Diff): string[] {
  if ('number' in to || to.rejected + to.skipped === 0) return []
  const said = `  of ${counted(to.read, 'row')} ${figure(to.rejected)} rejected, ${figure(to.skipped)} skipped as repetitions`
  const meaning = `; a record of release ${from.number} whose row is rejected counts as removed`
  return [to.rejected === 0 ? said : said + meaning]
}

async function* listed<T>(
  what: string,
  count: number,
  most: number,
  items: AsyncIterable<T>,
  toLines: (item: T) => string[],
): AsyncGenerator<string> {
  if (count === 0) return
  yield '\n'
  let shown = 0
  for await (const item of items) {
    if (shown === most) break
    shown++
    yield* lines(...toLines(item))
  }
  if (count > shown) yield `  ... and ${figure(count - shown)} more ${what} (use --all to list them)\n`
}

function nameOf({ knownBy, identity }: Dataset, record: StoredRecord): string {
  const name = knownBy.map(field => String(record[field] ?? '')).filter(part => part !== '')
  const key = storedKey({ identity })(record)
  return visible(`${name.join(', ')}  ${identity.kind === 'fingerprint' ? shortHash(key) : key}`)
}

function fieldLines({ from, to }: Change): string[] {
  return Object.entries(changedFields(from, to))
    .flatMap(([field, value]) => changedValueLines(field, value))
    .map(line => `    ${visible(line)}`)
}
