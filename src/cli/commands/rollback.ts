import type { Release } from '../../store/store.ts'
import { counted } from '../../values/numbers.ts'
import { datasetNamed, parseReleaseNumber, releaseBefore, releaseNumbered } from '../arguments.ts'
import { type AddCommand, Refused, withExistingStore } from '../cli.ts'
import { print, printJson } from '../output/print.ts'

/** `pds rollback`: makes an older release current again. */
export const addRollback: AddCommand = (program, cli) => {
  program
    .command('rollback')
    .description('make an older release current again')
    .argument('<dataset>', 'name of the dataset')
    .argument(
      '[release]',
      'number of the release; by default the one before the current release',
      parseReleaseNumber,
    )
    .option('--json', 'print the result as JSON')
    .action(async (name: string, number: number | undefined, { json }: { json?: true }) => {
      const dataset = datasetNamed(name).name
      await withExistingStore(cli, async store => {
        const releases = await store.releases.list(dataset)
        const from = releases.find(release => release.currentSince !== null)
        const target = chooseTarget(dataset, releases, from, number)
        const current = await store.releases.makeCurrent(dataset, target.number)
        if (json) printJson({ dataset, from: from?.number ?? null, current })
        else print(said(current, from))
      })
    })
}

/** The release to make current. Throws {@link Refused} where there is nothing to do or no such release. */
export function chooseTarget(
  dataset: string,
  releases: readonly Release[],
  current: Release | undefined,
  number: number | undefined,
): Release {
  if (releases.length === 0) throw new Refused(`${dataset} has no release to go back to`)
  if (number !== undefined && number === current?.number)
    throw new Refused(`release ${number} of ${dataset} is current already`)
  return number === undefined
    ? releaseBefore(dataset, releases, current)
    : releaseNumbered(dataset, releases, number)
}

function said(current: Release, from: Release | undefined): string {
  const { dataset, number, rows, publishedAt } = current
  const before = from === undefined ? '' : `; release ${from.number} was`
  return `${dataset}: release ${number} is current now (${counted(rows, 'row')}, published ${publishedAt})${before}`
}
