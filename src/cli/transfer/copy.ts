import { databaseAddress } from '../../values/addresses/addresses.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { parseAs } from '../arguments.ts'
import { type DefineCommand, UsageError } from '../cli.ts'
import { runTransfer } from './transfer.ts'

interface CopyArguments {
  readonly from?: string
  readonly to?: string
  readonly json?: true
}

/** `pds copy`: fills an empty store with another one. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('fill an empty store with all that another store keeps, on any engine')
    .option('--from <store>', 'the store to read, by default DATABASE_URL')
    .option('--to <store>', 'the empty store, by default DATABASE_URL')
    .option('--json', 'print the report as JSON')
    .action(async ({ json, ...named }: CopyArguments) => {
      const { DATABASE_URL } = cli.config()
      const { from, to } = { from: DATABASE_URL, to: DATABASE_URL, ...named }
      // The message never has the value, which may hold a password.
      for (const [option, address] of Object.entries(named))
        parseAs(
          databaseAddress(),
          address,
          allowed => new UsageError(`--${option} is no store. Allowed: ${allowed}`),
        )
      if (from === to)
        throw new UsageError(
          `${shownAddress(from)} would be copied to itself: name another store by --from or --to`,
        )
      const places = { from: shownAddress(from), to: shownAddress(to) }
      await runTransfer(cli, 'copied', json, places, (transfer, options) =>
        transfer.copyStore(from, to, options),
      )
    })
}
