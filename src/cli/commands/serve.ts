import { misspeltVariables } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { readMetadata } from '../../datasets/metadata.ts'
import { readSources } from '../../publishing/sources-file.ts'
import { tableOptions } from '../../store/engine.ts'
import { openStore } from '../../store/open-store.ts'
import { type Store, StoreError } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import type { DefineCommand } from '../cli.ts'
import { requirePorts, startListening } from '../listening.ts'
import { createLog } from '../log.ts'

/** `pds serve`: serves the store's data until it is stopped. */
export const defineCommand: DefineCommand = (command, cli) => {
  command.description('serve the releases in the store').action(async () => {
    const config = cli.config()
    const sources = readSources(config)
    const metadata = readMetadata(config.METADATA, DATASETS)
    await requirePorts(config)
    const { log, linesDropped } = await createLog(config.LOG_LEVEL)
    for (const { name, meant } of misspeltVariables(cli.environment))
      log.warn(`${name} is not a variable of this service: if ${meant} is meant, rename it`)
    const store = await openStore(config.DATABASE_URL, {
      patient: true,
      readUrl: config.DATABASE_READ_URL,
      tables: tableOptions(config),
    })
    if (await isEmpty(store))
      log.warn(
        `the store ${shownAddress(config.DATABASE_URL)} is empty: \`pds import <dataset> <file>\` fills it, \`pds demo\` shows a synthetic island`,
      )
    await startListening({ config, metadata, sources, store, log, logLinesDropped: linesDropped })
  })
}

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
