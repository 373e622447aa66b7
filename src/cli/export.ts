import { Option } from 'commander'
import { FORMATS } from '../formats/formats.ts'
import { json } from '../formats/json.ts'
import { batchesOf } from '../query/batches.ts'
import { datasetNamed } from './arguments.ts'
import { type AddCommand, Refused, UsageError, withExistingStore } from './cli.ts'
import { printChunks } from './output/print.ts'

/** `pds export`: writes the current release to standard output. */
export const addExport: AddCommand = (program, cli) => {
  program
    .command('export')
    .description('write the current release of a dataset to standard output')
    .argument('<dataset>', 'name of the dataset')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(FORMATS.map(format => format.name))
        .default(json.name),
    )
    .action(async (name: string, { format: formatName }: { format: string }) => {
      const dataset = datasetNamed(name)
      const format = FORMATS.find(({ name }) => name === formatName) ?? json
      const refusal = format.refusal?.(dataset.record)
      if (refusal !== undefined)
        throw new UsageError(`${name} cannot be written as ${formatName}: ${refusal}`)
      await withExistingStore(cli, async store => {
        const release = await store.releases.current(name)
        if (release === undefined)
          throw new Refused(`${name} has no release: \`pds import ${name} <file>\` makes one`)
        const open = await store.releases.open(release, dataset.layout)
        try {
          await printChunks(format.write(batchesOf(open.records()), dataset.record))
        } finally {
          await open.close()
        }
      })
    })
}
