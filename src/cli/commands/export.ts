import { Option } from 'commander'
import { DATASETS } from '../../datasets/index.ts'
import { readMetadata } from '../../datasets/metadata.ts'
import { describeOrigin, originOf } from '../../datasets/origin.ts'
import { FORMATS } from '../../formats/formats.ts'
import { json } from '../../formats/json.ts'
import { batchesOf } from '../../query/query.ts'
import { datasetArgument, datasetNamed, keptReleases, parseReleaseNumber } from '../arguments.ts'
import { type DefineCommand, UsageError, withExistingStore } from '../cli.ts'
import { printChunks } from '../output/print.ts'
import { visible } from '../output/text.ts'

interface ExportArguments {
  readonly format: string
  readonly bom?: true
  readonly release?: number
}

/** `pds export`: writes a release, by default the current one, to standard output, and its origin to standard error. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('write a release of a dataset, by default the current one, to standard output')
    .addArgument(datasetArgument('<dataset>'))
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(FORMATS.map(format => format.name))
        .default(json.name),
    )
    .option('--bom', 'write a byte order mark before CSV, for Excel')
    .option('--release <N>', 'number of the release', parseReleaseNumber)
    .action(async (name: string, { format: formatName, bom, release: number }: ExportArguments) => {
      const dataset = datasetNamed(name)
      const format = FORMATS.find(({ name }) => name === formatName) ?? json
      const refusal = format.refusal?.(dataset.record)
      if (refusal !== undefined)
        throw new UsageError(`${name} cannot be written as ${formatName}: ${refusal}`)
      if (bom && !format.takesBom)
        throw new UsageError(`${formatName} takes no byte order mark; --bom is for CSV`)
      const metadata = readMetadata(cli.config().METADATA, DATASETS)
      await withExistingStore(cli, async store => {
        const { requireCurrent, numbered } = await keptReleases(store, name)
        const current = requireCurrent()
        const release = number === undefined ? current : numbered(number)
        // Not in the output: the formats have no place for the origin that every reader would ignore.
        process.stderr.write(`${visible(describeOrigin(originOf(metadata, release)))}\n`)
        const open = await store.releases.open(release, dataset.layout)
        if (bom) process.stdout.write('\ufeff')
        await printChunks(format.write(batchesOf(open.records()), dataset.record))
      })
    })
}
