import { access } from 'node:fs/promises'
import { shownAddress } from '../../values/shown-address.ts'
import { type AddCommand, Refused, UsageError } from '../cli.ts'
import { runTransfer } from './transfer.ts'

/** `pds backup`: writes the whole store to a file, or verifies such a file. */
export const addBackup: AddCommand = (program, cli) => {
  program
    .command('backup')
    .description('write all that the store keeps to one file, while it is served')
    .argument('<file>', 'the file; a gzipped text')
    .option('--force', 'replace the file if it is there')
    .option('--verify', 'read the file to its end instead; needs no store')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, { force, verify, json }: { force?: true; verify?: true; json?: true }) => {
      if (force && verify) throw new UsageError('--verify writes nothing, so --force is not for it')
      // Imported lazily: the help does not need it.
      const { backUp, verifyBackup } = await import('../../store/transfer/transfer.ts')
      if (verify)
        return runTransfer(cli, 'verified', json, async step => ({
          ...(await step('verifying', options => verifyBackup(file, options))),
          from: file,
        }))
      const { DATABASE_URL } = cli.config()
      if (!force && (await isThere(file)))
        throw new Refused(`${file} is there already: name another file, or replace it with --force`)
      await runTransfer(cli, 'written', json, async step => ({
        ...(await step('backup', options => backUp(DATABASE_URL, file, options))),
        ...{ from: shownAddress(DATABASE_URL), to: file },
      }))
    })
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
