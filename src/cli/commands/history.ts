import { Argument } from 'commander'
import type { ReadingBatch, ReadingStore, ReadingTotals } from '../../store/store.ts'
import { counted } from '../../values/numbers.ts'
import { parseBatchNumber } from '../arguments.ts'
import { type DefineCommand, Refused, UsageError, withExistingStore } from '../cli.ts'
import { print, printJson } from '../output/print.ts'
import { columns, visible } from '../output/text.ts'

interface HistoryArguments {
  readonly dryRun?: true
  readonly json?: true
}

/** `pds history`: lists the batches of imported readings, and removes one. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('list the batches of past readings that were imported, newest first, or remove one')
    .addArgument(new Argument('[action]', 'remove: remove the readings of a batch').choices(['remove']))
    .argument('[batch]', 'number of the batch', parseBatchNumber)
    .option('--dry-run', 'remove: print what would be removed, remove nothing')
    .option('--json', 'print the list, or what was removed, as JSON')
    .action(async (action: string | undefined, batch: number | undefined, options: HistoryArguments) => {
      if (action === undefined && options.dryRun)
        throw new UsageError('--dry-run is for `pds history remove <batch>`')
      if (action !== undefined && batch === undefined)
        throw new UsageError('which batch? `pds history` lists them: pds history remove <batch>')
      await withExistingStore(cli, ({ readings }) =>
        batch === undefined ? list(readings, options) : remove(readings, batch, options),
      )
    })
}

async function list(store: ReadingStore, { json }: HistoryArguments): Promise<void> {
  const { batches, feed } = await store.origins()
  if (json) return printJson({ batches: batches.map(dated), feed: feed === undefined ? null : dated(feed) })
  const rows = batches.map(batch => [
    String(batch.number),
    batch.importedAt,
    ...cells(batch),
    visible(batch.source),
  ])
  if (feed !== undefined) rows.push(['feed', '', ...cells(feed)])
  if (rows.length > 0) print(...columns(rows, ['right', 'left', 'right', 'right']))
  else
    process.stderr.write(
      'no readings are stored: a server with LIVE_FEED_URL stores them, and `pds import live-spaces <file>` adds past ones\n',
    )
}

async function remove(
  store: ReadingStore,
  number: number,
  { dryRun, json }: HistoryArguments,
): Promise<void> {
  const { batches } = await store.origins()
  const batch = batches.find(each => each.number === number)
  const removed = dryRun ? batch : batch && (await store.removeBatch(number))
  if (batch === undefined || removed === undefined) throw new Refused(noSuch(number, batches))
  const outcome = dryRun ? 'dry run' : 'removed'
  if (json) return printJson({ outcome, ...dated({ ...batch, ...removed }) })
  const [readings, carParks, times] = cells(removed)
  const what = `batch ${number}, ${readings} of ${carParks} ${times}, imported from ${visible(batch.source)}`
  print(dryRun ? `dry run, nothing was removed: ${what}` : `removed ${what}`)
  for (const { number, source } of batches)
    if (batch.repeatedBy.includes(number))
      print(
        `batch ${number} skipped readings that were stored already, perhaps some of these: import ${visible(source)} again`,
      )
}

const cells = ({ readings, carParks, first, last }: ReadingTotals) =>
  [counted(readings, 'reading'), counted(carParks, 'car park'), `from ${iso(first)} to ${iso(last)}`] as const

const dated = <T extends ReadingTotals>(totals: T) => ({
  ...totals,
  first: iso(totals.first),
  last: iso(totals.last),
})

const iso = (at: number) => new Date(at).toISOString()

function noSuch(number: number, batches: readonly ReadingBatch[]): string {
  const stored = batches.map(batch => batch.number).join(', ')
  return `there is no batch ${number}; ${stored === '' ? 'none is stored' : `stored: ${stored}`}`
}
