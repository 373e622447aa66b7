import { storeAt } from '../../store/open-store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import type { AddCommand } from '../cli.ts'
import { print, printJson } from '../output/print.ts'

/** `pds migrate`: brings the store's schema up to date; opening the store does the same. */
export const addMigrate: AddCommand = (program, cli) => {
  program
    .command('migrate')
    .description("bring the store's schema up to date, as opening it does")
    .option('--json', 'print the versions as JSON')
    .action(async ({ json }: { json?: true }) => {
      const { DATABASE_URL } = cli.config()
      const migrated = await storeAt(DATABASE_URL).migrate()
      if (json) printJson(migrated ?? { from: null, to: null })
      else print(said(shownAddress(DATABASE_URL), migrated))
    })
}

function said(store: string, migrated: { from: number; to: number } | undefined): string {
  if (migrated === undefined || migrated.from === migrated.to) return `${store}: the schema is up to date`
  return `${store}: the schema went from version ${migrated.from} to ${migrated.to}`
}
