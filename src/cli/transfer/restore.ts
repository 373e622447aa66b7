import { shownAddress } from '../../values/addresses/shown-address.ts'
import type { DefineCommand } from '../cli.ts'
import { runTransfer } from './transfer.ts'

/** `pds restore`: fills an empty store from a backup file. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('fill an empty store from a file that `pds backup` wrote, on any engine')
    .argument('<file>', 'the file; - for standard input')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const { DATABASE_URL } = cli.config()
      const places = { from: file, to: shownAddress(DATABASE_URL) }
      await runTransfer(cli, 'restored', json, places, (transfer, options) =>
        transfer.restore(file, DATABASE_URL, options),
      )
    })
}
