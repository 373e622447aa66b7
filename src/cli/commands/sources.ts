import { readSources } from '../../app/sources/sources-file.ts'
import type { SourceStatus } from '../../releases/schedule/follow-sources.ts'
import { counted } from '../../values/numbers.ts'
import { type AddCommand, withExistingStore } from '../cli.ts'
import { print, printJson } from '../output/print.ts'
import { columns, visible } from '../output/text.ts'

/** `pds sources`: shows what came of each followed source, and when it is due next. */
export const addSources: AddCommand = (program, cli) => {
  program
    .command('sources')
    .description('show each source that is followed: last outcome, last release, next time')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: true }) => {
      const sources = readSources(cli.config())
      const states = await withExistingStore(cli, store => store.sources.list())
      const status = sources.map(({ dataset, address, configuration }) => ({
        ...{ dataset, address },
        state: states.find(state => state.dataset === dataset && state.configuration === configuration),
      }))
      if (json) printJson(status.map(({ state = null, ...source }) => ({ ...source, state })))
      else if (status.length > 0) print(...sourcesText(status))
      else process.stderr.write('no source is followed: SOURCES names no file with sources\n')
    })
}

/** Formats the sources, one per line, each followed by why it does not succeed. */
function sourcesText(status: readonly SourceStatus[]): string[] {
  const lines = columns(
    status.map(({ dataset, address, state }) => {
      if (state === undefined) return [dataset, address, 'not tried yet', '', '', 'next at once']
      const { outcome, triedAt, changed, dueAt } = state
      const release = changed === null ? 'no release yet' : `release ${changed.release} of ${changed.at}`
      return [dataset, address, outcome, triedAt, release, `next ${dueAt}`]
    }),
  )
  return status.flatMap(({ state }, at) => [
    lines[at] ?? '',
    ...(state?.reason
      ? [`  -> ${visible(state.reason)} (since ${state.failingSince}, ${counted(state.failures, 'attempt')})`]
      : []),
  ])
}
