import { DATASETS } from '../datasets/index.ts'
import { openStore } from '../store/open-store.ts'
import { withoutSecrets } from '../values/without-secrets.ts'
import type { AddCommand } from './cli.ts'
import { explainListening } from './listening.ts'
import { createLog } from './log.ts'

/** `pds serve`: serves what the store holds, until it is stopped. */
export const addServe: AddCommand = (program, cli) => {
  program
    .command('serve')
    .description('serve what the store holds')
    .action(async () => {
      const config = cli.config()
      const log = createLog(config.LOG_LEVEL)
      const store = await openStore(config.DATABASE_URL)
      const current = await Promise.all(DATASETS.map(({ name }) => store.current(name)))
      if (current.every(release => release === undefined))
        log.warn(
          `the store ${withoutSecrets(config.DATABASE_URL)} is empty: \`pds import <dataset> <file>\` fills it, \`pds demo\` shows a synthetic island`,
        )
      // Loaded here alone: the other commands need no server.
      const { startServer } = await import('../server.ts')
      try {
        await startServer({ config, store, log })
      } catch (error) {
        throw explainListening(error, config)
      }
    })
}
