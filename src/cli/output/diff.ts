import { isDeepStrictEqual } from 'node:util'
import type { Dataset } from '../../datasets/dataset.ts'
import type { StoredRecord } from '../../query/query.ts'
import { type ChangedValue, changedFields, changesDocument, each } from '../../releases/diff/changes.ts'
import type { Change, Diff } from '../../releases/diff/diff.ts'
import { storedKey } from '../../releases/import/identity.ts'
import { counted, figure } from '../../values/numbers.ts'
import { isObject } from '../../values/values.ts'
import { ignored, issues } from './import-report.ts'
import { escapeUnseen } from './print.ts'
import { coloured, shortHash, visible } from './text.ts'

/** The number of records of each kind to list without `--all`. */
const LISTED = 20

/** Formats a diff for people, a chunk for each record: its counts, then the records added, removed and changed. */
export async function* diffText(dataset: Dataset, diff: Diff, listsAll: boolean): AsyncGenerator<string> {
  const { differences, to } = diff
  const { counts } = differences
  const most = listsAll ? Number.POSITIVE_INFINITY : LISTED
  const named = (record: StoredRecord) => nameOf(dataset, record)
  yield* lines(summary(dataset.name, diff), ...aboutRows(diff))
  yield* listed('added', counts.added, most, differences.added(), record => [
    coloured(`+ ${named(record)}`, 'good'),
  ])
  yield* listed('removed', counts.removed, most, differences.removed(), record => [
    coloured(`- ${named(record)}`, 'bad'),
  ])
  yield* listed('changed', counts.changed, most, differences.changed(), change => [
    coloured(`~ ${named(change.to)}`, 'doubtful'),
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

/** Formats a diff as one JSON document for machines, one record per line, so that no list must be in memory as a whole. */
export async function* diffJson(dataset: string, { from, to, differences }: Diff): AsyncGenerator<string> {
  const compared = { dataset, from: sideOf(from), to: sideOf(to), counts: differences.counts }
  const lists = {
    added: differences.added(),
    removed: differences.removed(),
    changed: each(differences.changed(), ({ key, from, to }) => ({
      id: key,
      fields: changedFields(from, to),
      record: to,
    })),
  }
  for await (const piece of changesDocument(compared, lists, '\n')) yield escapeUnseen(piece)
}

function sideOf(side: Diff['to']) {
  if ('number' in side) return { release: side.number, hash: side.hash, rows: side.rows }
  const { source, hash, accepted, ...report } = side
  return { source, hash, rows: accepted, ...report }
}

/**
 * Formats a changed value for people, as `field: old -> new`. An object has a line for each changed member. A list shows its
 * new items and the removed ones.
 */
function changedValueLines(field: string, { from, to }: ChangedValue): string[] {
  if (isObject(from) && isObject(to))
    return Object.entries(changedFields(from, to)).flatMap(([member, value]) =>
      changedValueLines(`${field}.${member}`, value),
    )
  if (Array.isArray(from) && Array.isArray(to)) return [`${field}: ${listChange(from, to)}`]
  const [before, after] = shownPair(JSON.stringify(from), JSON.stringify(to))
  return [`${field}: ${before} -> ${after}`]
}

function listChange(from: readonly unknown[], to: readonly unknown[]): string {
  const changes = [...without(to, from).map(item => `+${item}`), ...without(from, to).map(item => `-${item}`)]
  return changes.length === 0 ? 'in another order' : changes.join(' ')
}

/** The items that `others` lacks, as JSON. An item of `others` matches only one equal item. */
function without(items: readonly unknown[], others: readonly unknown[]): string[] {
  const left = [...others]
  return items
    .filter(item => {
      const at = left.findIndex(other => isDeepStrictEqual(item, other))
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    .map(item => shown(JSON.stringify(item), 0))
}

const LONGEST = 80
/** The number of characters to show before the first difference of long texts. */
const CONTEXT = 20

/** Shortens long texts to the part where they begin to differ. */
function shownPair(from: string, to: string): [from: string, to: string] {
  if (from.length <= LONGEST && to.length <= LONGEST) return [from, to]
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const start = Math.max(0, same - CONTEXT)
  return [shown(from, start), shown(to, start)]
}

function shown(text: string, start: number): string {
  const end = start + LONGEST
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
}
