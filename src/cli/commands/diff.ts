import type { Dataset } from '../../datasets/dataset.ts'
import { readCorrections } from '../../publishing/corrections-file.ts'
import { type DiffOptions, withDiff } from '../../releases/diff/diff.ts'
import { Refusal } from '../../sources/source-row.ts'
import { withoutSecrets } from '../../values/addresses/shown-address.ts'
import { abortable } from '../../values/promises.ts'
import { datasetArgument, datasetNamed, isReleaseNumber, keptReleases } from '../arguments.ts'
import { type DefineCommand, Refused, UsageError, withExistingStore } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { diffJson, diffText } from '../output/diff.ts'
import { printChunks } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { namedSource, SOURCE_OPTIONS, type SourceArguments } from '../source-arguments.ts'

interface Options extends SourceArguments {
  readonly all?: boolean
  readonly json?: true
}

/** `pds diff`: prints what differs between two releases, or between a release and a source. */
export const defineCommand: DefineCommand = (command, cli) => {
  for (const option of SOURCE_OPTIONS) command.addOption(option)
  command
    .description('show what changed between two releases, or between a release and a source')
    .addArgument(datasetArgument('<dataset>'))
    .argument('[from]', 'number of a release; a source alone is compared with the current release')
    .argument('[to]', 'number of a release; a file or its http(s) address; by default the current release')
    .option('--all', 'list every record, not only the first 20 of each kind')
    .option('--json', 'print the whole comparison as JSON')
    .action(async (name: string, first: string | undefined, second: string | undefined, options: Options) => {
      const dataset = datasetNamed(name)
      const { from, to } = readSides(first, second)
      const open = typeof to === 'string' ? namedSource(to, options, dataset.record) : undefined
      if (open === undefined) requireNoneForSource(options)
      await withExistingStore(cli, store =>
        interruptible(async signal => {
          const { requireCurrent, numbered, before } = await keptReleases(store, name)
          const current = requireCurrent()
          const opened = open?.(signal)
          const corrections = readCorrections(cli.config()).get(name)
          const source = opened && { ...opened, corrections }
          const first = source === undefined ? before : requireCurrent
          const sides = {
            from: from === undefined ? first() : numbered(from),
            to: source ?? (typeof to === 'number' ? numbered(to) : current),
          }
          await compare({ store, dataset, ...sides, signal }, options)
        }),
      )
    })
}

/** The sides that the arguments name: numbers of releases, or a source as `to`. */
interface Sides {
  readonly from?: number
  readonly to?: number | string
}

function readSides(first: string | undefined, second: string | undefined): Sides {
  if (first === undefined) return {}
  if (second === undefined) return isReleaseNumber(first) ? { from: Number(first) } : { to: first }
  if (!isReleaseNumber(first))
    throw new UsageError(
      `"${withoutSecrets(first)}" is not the number of a release; a source comes last: pds diff <dataset> <release> <file>`,
    )
  return { from: Number(first), to: isReleaseNumber(second) ? Number(second) : second }
}

function requireNoneForSource(options: Options): void {
  const given = SOURCE_OPTIONS.find(option => Object.hasOwn(options, option.attributeName()))
  if (given !== undefined)
    throw new UsageError(`${given.long} is for a source, but only releases are compared`)
}

async function compare(
  options: DiffOptions & { dataset: Dataset; signal: AbortSignal },
  { json, all = false }: Options,
) {
  const { dataset, to, signal } = options
  const source = 'number' in to ? '' : to.source
  try {
    await withProgress(dataset.name, source, onProgress => {
      const printed = withDiff({ ...options, onProgress }, diff =>
        printChunks(json ? diffJson(dataset.name, diff) : diffText(dataset, diff, all)),
      )
      return abortable(printed, signal)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const about = error.message.startsWith(source) ? dataset.name : `${dataset.name} from ${source}`
    throw new Refused(`${about}: ${error.message}`)
  }
}
