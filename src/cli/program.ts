import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import type { Cli, DefineCommand, ExitStatus } from './cli.ts'
import { describeFailure } from './failure.ts'
import { isClosedPipe } from './output/print.ts'

/** The commands in the order of the help. Each is imported when needed, so that a start does not load the others. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly defineCommand: DefineCommand }>>> = {
  serve: () => import('./commands/serve.ts'),
  demo: () => import('./commands/demo.ts'),
  import: () => import('./commands/import.ts'),
  releases: () => import('./commands/releases.ts'),
  sources: () => import('./commands/sources.ts'),
  notify: () => import('./commands/notify.ts'),
  journal: () => import('./commands/journal.ts'),
  rollback: () => import('./commands/rollback.ts'),
  diff: () => import('./commands/diff.ts'),
  history: () => import('./commands/history.ts'),
  export: () => import('./commands/export.ts'),
  backup: () => import('./transfer/backup.ts'),
  restore: () => import('./transfer/restore.ts'),
  copy: () => import('./transfer/copy.ts'),
  migrate: () => import('./commands/migrate.ts'),
  doctor: () => import('./doctor/doctor.ts'),
  completions: () => import('./commands/completions.ts'),
}

const AFTERWORD = `
Settings are environment variables; "pds doctor" lists them. The store is DATABASE_URL, by default sqlite:./data.
Exit status: 0 done, 1 refused and nothing changed (or a backup that lacks a damaged release), 2 wrong usage.`

/** Runs the command line and resolves to the exit status. After `serve` and `demo` the process runs until it is stopped. */
export async function runPds(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExitStatus> {
  process.stdout.on('error', error => {
    if (isClosedPipe(error)) return
    process.stderr.write(describeFailure(error, environment).text)
    process.exit(1)
  })
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
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', AFTERWORD)
    // Commander would end the process by itself, with status 1 for wrong usage.
    .exitOverride()
  const commands = Object.entries(COMMANDS)
  const named = commands.filter(([name]) => name === words[0])
  // The help, the completions and the message for an unknown name need all commands, the version none.
  const needsAll = named.length === 0 ? words[0] !== '--version' : words[0] === 'completions'
  try {
    for (const [name, load] of needsAll ? commands : named)
      (await load()).defineCommand(program.command(name), cli)
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const failure = describeFailure(error, environment)
    process.stderr.write(failure.text)
    return failure.status
  }
  return status
}
