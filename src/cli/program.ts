import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import type { AddCommand, Cli, ExitStatus } from './cli.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { describeFailure } from './failure.ts'
import { addImport } from './import.ts'
import { addMigrate } from './migrate.ts'
import { passOverClosedPipe } from './output.ts'
import { addReleases } from './releases.ts'
import { addRollback } from './rollback.ts'
import { addServe } from './serve.ts'

const COMMANDS: readonly AddCommand[] = [
  addServe,
  addDemo,
  addImport,
  addReleases,
  addRollback,
  addExport,
  addMigrate,
  addDoctor,
]

const AFTERWORD = `
Settings are environment variables; "pds doctor" lists them. The store is DATABASE_URL, by default sqlite:./data.
Exit status: 0 done, 1 refused and nothing changed, 2 wrong usage.`

/** Runs the command line and gives the exit status. After `serve` and `demo` the process lives on until it is stopped. */
export async function runPds(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExitStatus> {
  passOverClosedPipe(process.stdout)
  let status: ExitStatus = 0
  const cli: Cli = {
    environment,
    config: () => readConfig(environment),
    exitWith: chosen => {
      status = chosen
    },
  }
  const program = new Command('pds')
    .description("Publishes an island's public datasets over HTTP.")
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print help')
    .addHelpText('after', AFTERWORD)
    // Commander would end the process by itself, and with 1 for wrong usage.
    .exitOverride()
  for (const addCommand of COMMANDS) addCommand(program, cli)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const failure = describeFailure(error, environment)
    process.stderr.write(failure.text)
    return failure.status
  }
  return status
}
