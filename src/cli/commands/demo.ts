import type { RunningService } from '../../app/server.ts'
import { type Config, givenText } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { type Metadata, readMetadata } from '../../datasets/metadata.ts'
import { storeOptions } from '../../store/engine.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { counted } from '../../values/numbers.ts'
import { type DefineCommand, Refused, UsageError } from '../cli.ts'
import { requirePorts, startListening } from '../listening.ts'
import { createLog } from '../log.ts'
import { print } from '../output/print.ts'
import { type ProgressDisplay, progressDisplay } from '../output/progress.ts'
import { span } from '../output/text.ts'

const DEMO_STORE = 'sqlite:./data/demo'

/** `pds demo`: serves the synthetic island with a simulated feed, from a separate store. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('serve a synthetic island, generated in ./data/demo if missing, with a simulated feed')
    .action(async () => {
      const chosen = givenText('DATABASE_URL', cli.environment)
      const configured = cli.config()
      const config = chosen ? configured : { ...configured, DATABASE_URL: DEMO_STORE }
      if (config.ISLAND !== undefined)
        throw new UsageError(
          'the demo has an island of its own: unset ISLAND, or use "pds serve" with your data',
        )
      const metadata = readMetadata(config.METADATA, DATASETS)
      await requirePorts(config)
      const store = await openStore(config.DATABASE_URL, storeOptions(config))
      if (chosen) await requireNothingReal(store, chosen)
      await serveIsland(store, config, metadata)
    })
}

/** Keeps invented places out of stores with real ones. In the demo's own store, users may mix both to try out imports. */
async function requireNothingReal(store: Store, url: string): Promise<void> {
  for (const { name } of DATASETS) {
    const release = await store.releases.current(name)
    if (release !== undefined && !release.synthetic)
      throw new Refused(
        `${shownAddress(url)} holds real ${name}: unset DATABASE_URL, so that the demo uses a separate store`,
      )
  }
}

async function serveIsland(store: Store, config: Config, metadata: Metadata): Promise<void> {
  // Imported lazily: the other commands do not need the island.
  const { fillIsland } = await import('../../../demo/island.ts')
  const { fillPast } = await import('../../../demo/feed/past.ts')
  const { startSimulatedFeed } = await import('../../../demo/feed/simulated-feed.ts')

  let shown: { dataset: string; display: ProgressDisplay } | undefined
  const reports = await fillIsland({
    store,
    datasets: DATASETS,
    onProgress(dataset, progress) {
      if (shown?.dataset !== dataset) {
        shown?.display.stop()
        shown = { dataset, display: progressDisplay(process.stderr, dataset) }
      }
      shown.display.update(progress)
    },
  })
  shown?.display.stop()
  for (const { dataset, accepted, durationMs } of reports)
    process.stderr.write(`${dataset}: made ${counted(accepted, 'synthetic record')} in ${span(durationMs)}\n`)
  // A configured real feed has its own past.
  if (config.LIVE_FEED_URL === undefined) {
    const readings = await fillPast(store, new Date())
    if (readings > 0)
      process.stderr.write(`carparks: made ${counted(readings, 'synthetic reading')} of the past\n`)
  }
  const feedUrl = config.LIVE_FEED_URL ?? (await startSimulatedFeed()).url
  const { log, linesDropped } = await createLog(config)
  const served = { ...config, LIVE_FEED_URL: feedUrl }
  const options = { config: served, metadata, store, log, logLinesDropped: linesDropped, synthetic: true }
  print(...welcome(await startListening(options)))
}

function welcome({ url, adminUrl }: RunningService): string[] {
  return [
    '',
    'A SYNTHETIC island is being served: none of its vehicles, places and recalls exist.',
    'Never look for a defibrillator with it.',
    '',
    `  start here      ${url}/`,
    `  vehicles        ${url}/v1/vehicles?make=ford&limit=5`,
    `  live spaces     ${url}/v1/carparks/live-spaces`,
    `  documentation   ${url}/docs`,
    ...(adminUrl === undefined ? [] : [`  metrics         ${adminUrl}/metrics`]),
    '',
    'Ctrl+C stops it.',
    '',
  ]
}
