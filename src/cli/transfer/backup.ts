import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { type DefineCommand, Refused, UsageError } from '../cli.ts'
import { isClosedPipe } from '../output/print.ts'
import { runTransfer } from './transfer.ts'

/** `pds backup`: writes the whole store to a file or to standard output, or verifies such a file. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('write all that the store keeps to one file, while it is served')
    .argument('<file>', 'the file, a gzipped text; - for standard output, or input with --verify')
    .option('--force', 'replace the file if it is there')
    .option('--verify', 'read the file to its end instead; needs no store')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, { force, verify, json }: { force?: true; verify?: true; json?: true }) => {
      if (force && verify) throw new UsageError('--verify writes nothing, so --force is not for it')
      if (verify)
        return runTransfer(cli, 'verified', json, { from: file }, (transfer, options) =>
          transfer.verifyBackup(file, options),
        )
      const { DATABASE_URL } = cli.config()
      await requirePlace(file, force)
      const places = { from: shownAddress(DATABASE_URL), to: file }
      await runTransfer(cli, 'written', json, places, (transfer, options) =>
        transfer.backUp(DATABASE_URL, file, { ...options, replace: force }).catch(error => {
          if (isClosedPipe(error)) throw new Refused('standard output was closed: the backup is not whole')
          throw errorCode(error) === 'EEXIST' ? taken(file) : error
        }),
      )
    })
}

/** Throws {@link Refused} if no file can have this name, so that nobody waits for a backup that cannot be saved. */
async function requirePlace(file: string, force: boolean | undefined): Promise<void> {
  if (file === '-') {
    if (process.stdout.isTTY)
      throw new UsageError('standard output is a terminal: send it to a file or a command, as in "> file"')
    return
  }
  if (!(await kindOf(dirname(file)))?.isDirectory())
    throw new Refused(`${dirname(file)} is no folder: make it, or name a file elsewhere`)
  const there = await kindOf(file)
  if (there === undefined) return
  if (!there.isFile()) throw new Refused(`${file} is a folder or a device: name a file`)
  if (!force) throw taken(file)
}

const kindOf = (path: string) => stat(path).catch(() => undefined)

const taken = (file: string) =>
  new Refused(`${file} is there already: name another file, or replace it with --force`)
