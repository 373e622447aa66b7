import type { Dataset } from '../../datasets/dataset.ts'
import { type DiffOptions, withDiff } from '../../releases/diff/diff.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import { Refusal } from '../../sources/source-row.ts'
import type { Release } from '../../store/store.ts'
import { withoutSecrets } from '../../values/addresses/shown-address.ts'
import { abortable } from '../../values/promises.ts'
import {
  addColumn,
  addMapping,
  type ColumnOptions,
  columnMap,
  currentRelease,
  datasetNamed,
  isReleaseNumber,
  releaseBefore,
  releaseNumbered,
} from '../arguments.ts'
import { type AddCommand, Refused, UsageError, withExistingStore } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { diffJson } from '../output/diff-json.ts'
import { diffText } from '../output/diff-text.ts'
import { printChunks } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { readingOption } from '../reading-options.ts'
import { requireSource, sourceNamed } from '../source-argument.ts'

interface Options extends SourceOptions, ColumnOptions {
  readonly allowPrivate?: true
  readonly all?: true
  readonly json?: true
}

/** `pds diff`: prints what differs between two releases, or between a release and a source. */
export const addDiff: AddCommand = (program, cli) => {
  program
    .command('diff')
    .description('show what changed between two releases, or between a release and a source')
    .argument('<dataset>', 'name of the dataset')
    .argument('[from]', 'number of a release; a source alone is compared with the current release')
    .argument('[to]', 'number of a release; a file or its http(s) address; by default the current release')
    .option(
      '--map <"HEADER=field">',
      'read a field from this column of the source; can be repeated',
      addMapping,
    )
    .option('--ignore <HEADER>', 'leave out this column of the source; can be repeated', addColumn)
    .addOption(readingOption('delimiter'))
    .addOption(readingOption('listSeparator'))
    .addOption(readingOption('encoding'))
    .addOption(readingOption('sheet'))
    .option('--allow-private', 'allow addresses of this machine and of private networks')
    .option('--all', 'list every record, not only the first 20 of each kind')
    .option('--json', 'print the whole comparison as JSON')
    .action(async (name: string, first: string | undefined, second: string | undefined, options: Options) => {
      const dataset = datasetNamed(name)
      const sides = readSides(first, second)
      checkSource(dataset, sides, options)
      await withExistingStore(cli, store =>
        interruptible(async signal => {
          const kept = await store.releases.list(name)
          const chosen = chooseSides(dataset, kept, sides, { ...options, signal })
          await compare({ store, dataset, ...chosen }, { ...options, signal })
        }),
      )
    })
}

/** What the arguments name: the number of a release, or a source. */
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

/** The options for a source, by their flags. */
const OF_SOURCE: readonly (readonly [flag: string, name: keyof Options])[] = [
  ['--map', 'map'],
  ['--ignore', 'ignore'],
  ['--allow-private', 'allowPrivate'],
  ['--delimiter', 'delimiter'],
  ['--list-separator', 'listSeparator'],
  ['--encoding', 'encoding'],
  ['--sheet', 'sheet'],
]

function checkSource(dataset: Dataset, { to }: Sides, options: Options): void {
  if (typeof to === 'string') requireSource(to, options.allowPrivate)
  else
    for (const [flag, name] of OF_SOURCE)
      if (options[name] !== undefined)
        throw new UsageError(`${flag} is for a source, but only releases are compared`)
  columnMap(options, dataset.record)
}

function chooseSides(
  { name, record }: Dataset,
  kept: readonly Release[],
  { from, to }: Sides,
  { map, ignore, allowPrivate, signal, ...reading }: Options & { signal: AbortSignal },
) {
  const current = currentRelease(name, kept)
  const source =
    typeof to === 'string'
      ? {
          ...sourceNamed(to, { allowPrivate, signal }),
          ...{ reading, ...columnMap({ ...(map && { map }), ...(ignore && { ignore }) }, record) },
        }
      : undefined
  const before = source === undefined ? releaseBefore : () => current
  return {
    from: from === undefined ? before(name, kept, current) : releaseNumbered(name, kept, from),
    to: source ?? (typeof to === 'number' ? releaseNumbered(name, kept, to) : current),
  }
}

async function compare(
  options: DiffOptions & { dataset: Dataset },
  { json, all, signal }: Options & { signal: AbortSignal },
) {
  const { dataset, to } = options
  const source = 'number' in to ? '' : to.source
  try {
    await withProgress(dataset.name, source, onProgress => {
      const printed = withDiff({ ...options, onProgress }, diff =>
        printChunks(json ? diffJson(dataset.name, diff) : diffText(dataset, diff, all ?? false)),
      )
      return abortable(printed, signal)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const about = error.message.startsWith(source) ? dataset.name : `${dataset.name} from ${source}`
    throw new Refused(`${about}: ${error.message}`)
  }
}
