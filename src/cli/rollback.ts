import { InvalidArgumentError } from 'commander'
import type { Release } from '../store/store.ts'
import { datasetNamed } from './arguments.ts'
import { type AddCommand, Refused, withExistingStore } from './cli.ts'
import { print, printJson } from './output/print.ts'
import { counted } from './output/text.ts'

/** `pds rollback`: makes an older release current again. */
export const addRollback: AddCommand = (program, cli) => {
  program
    .command('rollback')
    .description('make an older release current again')
    .argument('<dataset>', 'name of the dataset')
    .argument(
      '[release]',
      'number of the release; by default the one before the current release',
      parseNumber,
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

function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('Allowed: the number of a release, from 1.')
  return Number(text)
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
  const target = releases.find(release =>
    number === undefined
      ? release.number < (current?.number ?? Number.POSITIVE_INFINITY)
      : release.number === number,
  )
  if (target !== undefined) return target
  const kept = `kept: ${releases.map(release => release.number).join(', ')}`
  if (number === undefined)
    throw new Refused(`${dataset} has no release older than the current one, ${current?.number}; ${kept}`)
  throw new Refused(`no release ${number} of ${dataset} is kept; ${kept}`)
}

function said(current: Release, from: Release | undefined): string {
  const { dataset, number, rows, publishedAt } = current
  const before = from === undefined ? '' : `; release ${from.number} was`
  return `${dataset}: release ${number} is current now (${counted(rows, 'row')}, published ${publishedAt})${before}`
}
