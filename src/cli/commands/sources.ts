import { importInThread } from '../../publishing/import-thread.ts'
import { type ConfiguredSource, readSources } from '../../publishing/sources-file.ts'
import { acceptCommand } from '../../releases/import/notes.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import { isWaiting, nextState } from '../../releases/schedule/next-state.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import type { SourceState, Store } from '../../store/store.ts'
import { counted } from '../../values/numbers.ts'
import { acceptOption, datasetArgument, datasetNamed } from '../arguments.ts'
import { type Cli, type DefineCommand, Refused, UsageError, withExistingStore } from '../cli.ts'
import { importReportText } from '../output/import-report.ts'
import { printReport } from '../output/print.ts'
import { columns, visible } from '../output/text.ts'

/** `pds sources`: shows the outcome of each followed source, and publishes a refused source if an operator accepts it. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('show each source that is followed: last outcome, last release, what to look at, next time')
    .addArgument(datasetArgument('[dataset]', 'name of the dataset: its source alone'))
    .option('--report', 'print the report of the last import that published or refused the source')
    .addOption(
      acceptOption('fetch the source again, and publish exactly what this check refused; can be repeated'),
    )
    .option('--json', 'print them, or the report, as JSON')
    .action(async (name: string | undefined, { report, accept, json }: Options) => {
      const isForOne = report !== undefined || accept !== undefined
      if (isForOne && (name === undefined || (report && accept)))
        throw new UsageError(
          '--report and --accept are for one source, each by itself: pds sources <dataset> --report',
        )
      if (name !== undefined) datasetNamed(name)
      const sources = readSources(cli.config()).filter(
        ({ dataset }) => name === undefined || dataset === name,
      )
      const [source] = sources
      if (name !== undefined && source === undefined)
        throw new UsageError(`no source of ${name} is followed: the file that SOURCES names has none`)
      await withExistingStore(cli, async store => {
        const states = await store.sources.list()
        const stateOf = ({ dataset, configuration }: ConfiguredSource) =>
          states.find(state => state.dataset === dataset && state.configuration === configuration)
        if (source !== undefined && isForOne) {
          const state = stateOf(source)
          const shown = accept ? await publishRefused(cli, store, source, state, accept) : state?.report
          if (shown === undefined)
            throw new Refused(`the source of ${name} was neither published nor refused yet`)
          printReport(shown, json, () => importReportText(shown as ImportReport))
          return
        }
        const status = sources.map(source => {
          const { dataset, address } = source
          return { dataset, address, state: stateOf(source) ?? null }
        })
        if (json || status.length > 0) printReport(status, json, sourcesText)
        else process.stderr.write('no source is followed: SOURCES names no file with sources\n')
      })
    })
}

/** A source as it is printed; `state` is null before the first attempt. */
interface Status extends Pick<ConfiguredSource, 'dataset' | 'address'> {
  readonly state: SourceState | null
}

interface Options {
  readonly report?: true
  readonly accept?: readonly string[]
  readonly json?: true
}

/** Fetches a refused source again, and publishes it if its records are still the same. */
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

/** Formats the sources, one per line, each followed by the notes on its release and the reason of its failure. */
function sourcesText(status: readonly Status[]): string[] {
  const lines = columns(
    status.map(({ dataset, address, state }) => {
      if (state === null) return [dataset, address, 'not tried yet', '', '', 'next at once']
      const { outcome, triedAt, changed, dueAt } = state
      const release = changed === null ? 'no release yet' : `release ${changed.release} of ${changed.at}`
      return [dataset, address, outcome, triedAt, release, `next ${dueAt}`]
    }),
  )
  return status.flatMap(({ state }, at) => [lines[at] ?? '', ...(state === null ? [] : detailsOf(state))])
}

function detailsOf(state: SourceState): string[] {
  const { dataset, changed, reason, failingSince, failures, refused } = state
  const command = acceptCommand({ actor: 'schedule', dataset }, state.report ?? {})
  return [
    ...noted(`release ${changed?.release}`, changed?.notes),
    ...(reason ? [`  -> ${visible(reason)} (since ${failingSince}, ${counted(failures, 'attempt')})`] : []),
    ...(isWaiting(state)
      ? [
          ...noted('refused', refused?.notes),
          `  the whole report: pds sources ${dataset} --report`,
          ...(refused?.hash ? [`  to publish it as it is: ${command}`] : []),
        ]
      : []),
  ]
}

const noted = (what: string, notes: readonly string[] = []) =>
  notes.map(note => `  ${what}: ${visible(note)}`)
