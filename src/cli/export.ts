import { Option } from 'commander'
import { DATASETS } from '../datasets/index.ts'
import { readMetadata } from '../datasets/metadata.ts'
import { describeOrigin, originOf } from '../datasets/origin.ts'
import { FORMATS } from '../formats/formats.ts'
import { json } from '../formats/json.ts'
import { batchesOf } from '../query/batches.ts'
import { datasetNamed } from './arguments.ts'
import { type AddCommand, Refused, UsageError, withExistingStore } from './cli.ts'
import { printChunks } from './output/print.ts'
import { visible } from './output/text.ts'

/** `pds export`: writes the current release to standard output, and whose it is to standard error. */
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
      const metadata = readMetadata(cli.config().METADATA, DATASETS)
      await withExistingStore(cli, async store => {
        const release = await store.releases.current(name)
        if (release === undefined)
          throw new Refused(`${name} has no release: \`pds import ${name} <file>\` makes one`)
        // The formats have no place for it that every reader would pass over.
        process.stderr.write(`${visible(describeOrigin(originOf(metadata, release)))}\n`)
        const open = await store.releases.open(release, dataset.layout)
        try {
          await printChunks(format.write(batchesOf(open.records()), dataset.record))
        } finally {
          await open.close()
        }
      })
    })
}
