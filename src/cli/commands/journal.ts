import { DATASETS } from '../../datasets/index.ts'
import { acceptCommand, entryLine } from '../../releases/import/notes.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import { datasetArgument, datasetNamed, parseEntryNumber } from '../arguments.ts'
import { type DefineCommand, Refused, withExistingStore } from '../cli.ts'
import { importReportText } from '../output/import-report.ts'
import { printReport } from '../output/print.ts'
import { visible } from '../output/text.ts'

/** `pds journal`: shows the history of releases: publications, refusals and rollbacks, each with time and user. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('show what was published, refused or rolled back, by whom, newest first')
    .addArgument(datasetArgument('[dataset]', 'name of the dataset: its entries alone'))
    .argument('[entry]', 'number of an entry: the whole report of its import', parseEntryNumber)
    .option('--json', 'print them as JSON')
    .action(async (name: string | undefined, number: number | undefined, { json }: { json?: true }) => {
      if (name !== undefined) datasetNamed(name)
      await withExistingStore(cli, async ({ journal }) => {
        const names = name === undefined ? DATASETS.map(dataset => dataset.name) : [name]
        const lists = await Promise.all(names.map(journal.list))
        const entries = lists.flat().toSorted((one, other) => (one.last < other.last ? 1 : -1))
        if (number === undefined) {
          if (json || entries.length > 0)
            printReport(entries, json, () => entries.map(entryLine).map(visible))
          else process.stderr.write('the journal has no entry yet: imports and rollbacks add them\n')
          return
        }
        const entry = entries.find(each => each.number === number)
        if (entry === undefined)
          throw new Refused(
            `the journal of ${name} has no entry ${number}: \`pds journal ${name}\` lists them`,
          )
        const report = ((await journal.report(entry.dataset, number)) ?? null) as ImportReport | null
        const accept = report && acceptCommand(entry, report)
        printReport({ ...entry, report }, json, () => [
          visible(entryLine(entry)),
          ...(report === null ? [] : ['', ...importReportText(report)]),
          ...(accept ? ['', `to publish it as it is: ${visible(accept)}`] : []),
        ])
      })
    })
}
