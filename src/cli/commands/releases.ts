import { DATASETS } from '../../datasets/index.ts'
import type { Release, ReleaseStore } from '../../store/store.ts'
import { counted, figure } from '../../values/numbers.ts'
import { datasetArgument, datasetNamed } from '../arguments.ts'
import { type DefineCommand, withExistingStore } from '../cli.ts'
import { printReport } from '../output/print.ts'
import { columns, shortHash, visible } from '../output/text.ts'

/** `pds releases`: lists releases with their times and sources. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('list the releases of a dataset, newest first; without one, the current release of each')
    .addArgument(datasetArgument('[dataset]'))
    .option('--json', 'print them as JSON')
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      if (name !== undefined) datasetNamed(name)
      await withExistingStore(cli, ({ releases }) =>
        name === undefined ? printCurrent(releases, json) : printAll(name, releases, json),
      )
    })
}

async function printAll(dataset: string, store: ReleaseStore, json?: true): Promise<void> {
  const releases = await store.list(dataset)
  if (json || releases.length > 0)
    printReport(releases.map(shown), json, () => columns(releases.map(cells), SIDES))
  else process.stderr.write(`${dataset} has no release: \`pds import ${dataset} <file>\` makes one\n`)
}

async function printCurrent(store: ReleaseStore, json?: true): Promise<void> {
  const all = await Promise.all(
    DATASETS.map(async ({ name: dataset }) => ({ dataset, current: (await store.current(dataset)) ?? null })),
  )
  const report = all.map(({ dataset, current }) => ({ dataset, current: current && shown(current) }))
  const rows = all.map(({ dataset, current }) => [dataset, ...(current === null ? ['none'] : cells(current))])
  printReport(report, json, () => columns(rows, ['left', ...SIDES]))
}

/** Without the counts by field, which only the next import needs. */
const shown = ({ filled: _, ...release }: Release) => release

const SIDES = ['right', 'left', 'right'] as const

function cells(release: Release): string[] {
  const { added, changed, removed } = release.changes
  return [
    String(release.number),
    release.currentSince === null ? '' : 'current',
    counted(release.rows, 'row'),
    release.publishedAt,
    shortHash(release.hash),
    `+${figure(added)} ~${figure(changed)} -${figure(removed)}`,
    visible(release.source),
    release.synthetic ? 'synthetic' : '',
  ]
}
