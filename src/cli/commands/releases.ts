import { DATASETS } from '../../datasets/index.ts'
import type { Release, Store } from '../../store/store.ts'
import { counted, figure } from '../../values/numbers.ts'
import { datasetNamed } from '../arguments.ts'
import { type DefineCommand, withExistingStore } from '../cli.ts'
import { print, printJson } from '../output/print.ts'
import { columns, shortHash, visible } from '../output/text.ts'

/** `pds releases`: lists releases with their times and sources. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('list the releases of a dataset, newest first; without one, the current release of each')
    .argument('[dataset]', 'name of the dataset')
    .option('--json', 'print them as JSON')
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      const dataset = name === undefined ? undefined : datasetNamed(name).name
      await withExistingStore(cli, async store => {
        if (dataset === undefined) await printCurrent(store, json)
        else await printAll(dataset, store, json)
      })
    })
}

async function printAll(dataset: string, store: Store, json = false): Promise<void> {
  const releases = await store.releases.list(dataset)
  if (json) printJson(releases.map(shown))
  else if (releases.length > 0) print(...columns(releases.map(cells), SIDES))
  else process.stderr.write(`${dataset} has no release: \`pds import ${dataset} <file>\` makes one\n`)
}

async function printCurrent(store: Store, json = false): Promise<void> {
  const all = await Promise.all(
    DATASETS.map(async ({ name }) => ({
      dataset: name,
      current: (await store.releases.current(name)) ?? null,
    })),
  )
  if (json) printJson(all.map(one => ({ ...one, current: one.current && shown(one.current) })))
  else
    print(
      ...columns(
        all.map(({ dataset, current }) => [dataset, ...(current === null ? ['none'] : cells(current))]),
        ['left', ...SIDES],
      ),
    )
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
