import { importInThread } from '../../publishing/import-thread.ts'
import { type ConfiguredSource, readSources } from '../../publishing/sources-file.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import type { SourceStatus } from '../../releases/schedule/follow-sources.ts'
import { isWaiting, nextState } from '../../releases/schedule/next-state.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import type { SourceState, Store } from '../../store/store.ts'
import { counted } from '../../values/numbers.ts'
import { addCheck, datasetNamed } from '../arguments.ts'
import { type AddCommand, type Cli, Refused, UsageError, withExistingStore } from '../cli.ts'
import { importReportText } from '../output/import-report.ts'
import { print, printJson } from '../output/print.ts'
import { columns, visible } from '../output/text.ts'

/** `pds sources`: shows what came of each followed source, and publishes what was refused if an operator accepts it. */
export const addSources: AddCommand = (program, cli) => {
  program
    .command('sources')
    .description('show each source that is followed: last outcome, last release, what to look at, next time')
    .argument('[dataset]', 'name of the dataset: its source alone')
    .option('--report', 'print the report of the last import that published or refused the source')
    .option(
      '--accept <check>',
      'fetch the source again, and publish exactly what this check refused; can be repeated',
      addCheck,
    )
    .option('--json', 'print them, or the report, as JSON')
    .action(async (name: string | undefined, { report, accept, json }: Options) => {
      if ((report || accept) && (name === undefined || (report && accept)))
        throw new UsageError(
          '--report and --accept are for one source, each by itself: pds sources <dataset> --report',
        )
      const dataset = name && datasetNamed(name).name
      const sources = readSources(cli.config()).filter(each => name === undefined || each.dataset === dataset)
      const [source] = sources
      if (name !== undefined && source === undefined)
        throw new UsageError(`no source of ${name} is followed: the file that SOURCES names has none`)
      await withExistingStore(cli, async store => {
        const states = await store.sources.list()
        const status = sources.map(({ dataset, address, configuration }) => ({
          ...{ dataset, address },
          state: states.find(state => state.dataset === dataset && state.configuration === configuration),
        }))
        if (source !== undefined && (report || accept)) {
          const state = status[0]?.state
          const shown = accept ? await publishRefused(cli, store, source, state, accept) : state?.report
          if (shown === undefined)
            throw new Refused(`the source of ${name} was neither published nor refused yet`)
          if (json) printJson(shown)
          else print(...importReportText(shown as ImportReport))
        } else if (json) printJson(status.map(({ state = null, ...source }) => ({ ...source, state })))
        else if (status.length > 0) print(...sourcesText(status))
        else process.stderr.write('no source is followed: SOURCES names no file with sources\n')
      })
    })
}

interface Options {
  readonly report?: true
  readonly accept?: readonly string[]
  readonly json?: true
}

/** Fetches a refused source again, and publishes it if its records are those that were refused. */
async function publishRefused(
  cli: Cli,
  { sources: states }: Store,
  source: ConfiguredSource,
  before: SourceState | undefined,
  accept: readonly string[],
): Promise<ImportReport | undefined> {
  const { dataset, address } = source
  if (!before?.refused || !isWaiting(before))
    throw new Refused(`the source of ${dataset} is not refused: there is nothing to accept`)
  const { at, hash: onlyHash, reason } = before.refused
  if (!onlyHash) throw new Refused(`${dataset} was not refused by a check that can be accepted: ${reason}`)
  const known = { validators: {}, hash: before.hash }
  const { signal } = new AbortController()
  const importSource = importInThread(cli.config(), [source])
  const attempt = await importSource(dataset, known, signal, { accept, onlyHash, at }).catch(error => {
    throw error instanceof FetchError ? new Refused(`${address}: ${error.message}`) : error
  })
  if (attempt.outcome === 'refused') cli.exitWith(1)
  else await states.save(nextState({ ...source, before, attempt, now: new Date(), random: Math.random }))
  return attempt.report
}

/** Formats the sources, one per line, each followed by what to know of its release and why it does not succeed. */
function sourcesText(status: readonly SourceStatus[]): string[] {
  const lines = columns(
    status.map(({ dataset, address, state }) => {
      if (state === undefined) return [dataset, address, 'not tried yet', '', '', 'next at once']
      const { outcome, triedAt, changed, dueAt } = state
      const release = changed === null ? 'no release yet' : `release ${changed.release} of ${changed.at}`
      return [dataset, address, outcome, triedAt, release, `next ${dueAt}`]
    }),
  )
  return status.flatMap(({ dataset, state }, at) => [
    lines[at] ?? '',
    ...noted(`release ${state?.changed?.release}`, state?.changed?.notes),
    ...(state?.reason
      ? [`  -> ${visible(state.reason)} (since ${state.failingSince}, ${counted(state.failures, 'attempt')})`]
      : []),
    ...(state && isWaiting(state) ? refusalText(dataset, state) : []),
  ])
}

function refusalText(dataset: string, { refused, report = {} }: SourceState): string[] {
  const { checks = [] } = report as Partial<ImportReport>
  const failed = checks.flatMap(({ name, outcome }) => (outcome === 'failed' ? [` --accept ${name}`] : []))
  return [
    ...noted('refused', refused?.notes),
    `  the whole report: pds sources ${dataset} --report`,
    ...(refused?.hash ? [`  to publish it as it is: pds sources ${dataset}${failed.join('')}`] : []),
  ]
}

const noted = (what: string, notes: readonly string[] = []) =>
  notes.map(note => `  ${what}: ${visible(note)}`)
