import { finishMigration, type Migrated, migrate } from '../../store/earlier/migrate.ts'
import { tableOptions } from '../../store/engine.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { counted } from '../../values/numbers.ts'
import type { DefineCommand } from '../cli.ts'
import { printReport } from '../output/print.ts'
import { STORED_DATASETS } from '../stored-datasets.ts'

interface MigrateArguments {
  readonly finish?: true
  readonly json?: true
}

/** `pds migrate`: takes over a store of an earlier version. That version can still open the store until `--finish`. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('take over a store of an earlier version, which can still open it until --finish')
    .option('--finish', 'remove what only the earlier version needs: there is no way back then')
    .option('--json', 'print what was done as JSON')
    .action(async ({ finish, json }: MigrateArguments) => {
      const config = cli.config()
      const store = shownAddress(config.DATABASE_URL)
      if (finish) {
        const finished = await finishMigration(config.DATABASE_URL, STORED_DATASETS)
        const said = finished
          ? 'what only the earlier version needed is removed'
          : 'there is nothing to remove'
        printReport({ finished }, json, () => [`${store}: ${said}`])
        return
      }
      const migrated = await migrate(config.DATABASE_URL, STORED_DATASETS, {
        tables: tableOptions(config),
        onPhase: phase => process.stderr.write(`${phase}\n`),
      })
      printReport(migrated, json, () => textOf(store, migrated))
      if (migrated.releases.some(({ failure }) => failure !== undefined)) cli.exitWith(1)
    })
}

function textOf(store: string, { from, to, releases }: Migrated): string[] {
  if (from === 0) return [`${store}: a new store, with version ${to} of the schema`]
  const failed = releases.filter(({ failure }) => failure !== undefined)
  if (from === to || releases.length === 0) return [`${store}: there is nothing to take over`]
  return [
    `${store}: took over ${counted(releases.length - failed.length, 'release')}`,
    ...failed.map(
      ({ dataset, number, failure }) => `not taken over: release ${number} of ${dataset}: ${failure}`,
    ),
    from === to - 1
      ? 'The earlier version can still open the store. Once it is needed no more: pds migrate --finish'
      : `Only versions with version ${to - 1} of the schema can go back to it. Once none is needed: pds migrate --finish`,
  ]
}
