import { storeAt } from '../../store/open-store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { type AddCommand, sayingMigrated } from '../cli.ts'
import { print, printJson } from '../output/print.ts'

/** `pds migrate`: brings the store's schema up to date, as `serve`, `demo` and `import` do. */
export const addMigrate: AddCommand = (program, cli) => {
  program
    .command('migrate')
    .description("bring the store's schema up to date, as serve, demo and import do")
    .option('--json', 'print the versions as JSON')
    .action(async ({ json }: { json?: true }) => {
      const { DATABASE_URL } = cli.config()
      const migrated = await storeAt(DATABASE_URL).migrate()
      const store = shownAddress(DATABASE_URL)
      if (json) printJson(migrated)
      else if (migrated.from === migrated.to) print(`${store}: the schema is up to date`)
      else if (migrated.from === 0) print(`${store}: a new store, with version ${migrated.to} of the schema`)
      else sayingMigrated(DATABASE_URL, print)(migrated)
    })
}
