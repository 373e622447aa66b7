import type { Release } from '../../store/store.ts'
import { counted } from '../../values/numbers.ts'
import { runBy } from '../../values/system/user.ts'
import { datasetArgument, datasetNamed, keptReleases, parseReleaseNumber } from '../arguments.ts'
import { type DefineCommand, Refused, withExistingStore } from '../cli.ts'
import { printReport } from '../output/print.ts'

/** `pds rollback`: makes an older release current again. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('make an older release current again')
    .addArgument(datasetArgument('<dataset>'))
    .argument(
      '[release]',
      'number of the release; by default the one before the current release',
      parseReleaseNumber,
    )
    .option('--json', 'print the result as JSON')
    .action(async (name: string, number: number | undefined, { json }: { json?: true }) => {
      const dataset = datasetNamed(name).name
      await withExistingStore(cli, async store => {
        const { isEmpty, current: from, before, numbered } = await keptReleases(store, dataset)
        if (isEmpty) throw new Refused(`${dataset} has no release to go back to`)
        if (number !== undefined && number === from?.number)
          throw new Refused(`release ${number} of ${dataset} is current already`)
        const target = number === undefined ? before() : numbered(number)
        const current = await store.releases.makeCurrent(dataset, target.number, runBy('pds rollback'))
        printReport({ dataset, from: from?.number ?? null, current }, json, () => [textOf(current, from)])
      })
    })
}

function textOf(current: Release, from: Release | undefined): string {
  const { dataset, number, rows, publishedAt } = current
  const before = from === undefined ? '' : `; release ${from.number} was`
  return `${dataset}: release ${number} is current now (${counted(rows, 'row')}, published ${publishedAt})${before}`
}
