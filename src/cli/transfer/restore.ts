import { shownAddress } from '../../values/addresses/shown-address.ts'
import type { AddCommand } from '../cli.ts'
import { runTransfer } from './transfer.ts'

/** `pds restore`: fills an empty store from a backup file. */
export const addRestore: AddCommand = (program, cli) => {
  program
    .command('restore')
    .description('fill an empty store from a file that `pds backup` wrote, on any engine')
    .argument('<file>', 'the file')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const { DATABASE_URL } = cli.config()
      // Imported lazily: the help does not need it.
      const { restore } = await import('../../store/transfer/transfer.ts')
      await runTransfer(cli, 'restored', json, async step => {
        const restored = await step('restore', options => restore(file, DATABASE_URL, options))
        return { ...restored, from: file, to: shownAddress(DATABASE_URL) }
      })
    })
}
