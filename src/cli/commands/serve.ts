import cluster from 'node:cluster'
import { type Config, doubtfulVariables } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { readMetadata } from '../../datasets/metadata.ts'
import { readSources } from '../../publishing/sources-file.ts'
import { tableOptions } from '../../store/engine.ts'
import { openStore } from '../../store/open-store.ts'
import { type Store, StoreError } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import type { DefineCommand } from '../cli.ts'
import { joinPrimary, requirePorts, startListening, startWorkers } from '../listening.ts'
import { createLog } from '../log.ts'

/** `pds serve`: serves the store's data until it is stopped. */
export const defineCommand: DefineCommand = (command, cli) => {
  command.description('serve the releases in the store').action(async () => {
    const config = cli.config()
    const files = readFiles(config)
    if (cluster.isPrimary) await requirePorts(config)
    const { log, linesDropped } = await createLog(config, { isShared: cluster.isWorker })
    if (cluster.isPrimary) {
      for (const { name, problem, advice } of doubtfulVariables(cli.environment))
        log.warn(`${name} ${problem}: ${advice}`)
      if (config.WORKERS > 1) {
        const { environment } = cli
        // Variables that name files, too: a worker reads them again.
        const recheck = () => readFiles(cli.config())
        const failed = await startWorkers({ config, log, environment, readFiles: recheck })
        if (failed !== undefined) cli.exitWith(failed)
        return
      }
    }
    const worker = cluster.isWorker ? await joinPrimary(config, cli.environment) : undefined
    const store = await openStore(config.DATABASE_URL, {
      patient: true,
      readUrl: config.DATABASE_READ_URL,
      tables: tableOptions(config),
    })
    const isFirst = (cluster.worker?.id ?? 1) === 1
    if (isFirst && (await isEmpty(store)))
      log.warn(
        `the store ${shownAddress(config.DATABASE_URL)} is empty: \`pds import <dataset> <file>\` fills it, \`pds demo\` shows a synthetic island`,
      )
    await startListening({
      ...files,
      config: worker?.config ?? config,
      filesFolder: worker?.filesFolder,
      store,
      log,
      logLinesDropped: linesDropped,
      worker,
    })
  })
}

/** Reads the files that the configuration names. Throws {@link ConfigError}. */
const readFiles = (config: Config) => ({
  sources: readSources(config),
  metadata: readMetadata(config.METADATA, DATASETS),
})

/** Whether the store has no release; false if it cannot be queried. */
async function isEmpty(store: Store): Promise<boolean> {
  try {
    const current = await Promise.all(DATASETS.map(({ name }) => store.releases.current(name)))
    return current.every(release => release === undefined)
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}
