import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import type { AddCommand, Cli, ExitStatus } from './cli.ts'
import { describeFailure } from './failure.ts'
import { passOverClosedPipe } from './output/print.ts'

/** In the order of the help. Each is imported when it is needed, so that a start does not load the other commands. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).addServe,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  import: async () => (await import('./commands/import.ts')).addImport,
  releases: async () => (await import('./commands/releases.ts')).addReleases,
  sources: async () => (await import('./commands/sources.ts')).addSources,
  notify: async () => (await import('./commands/notify.ts')).addNotify,
  rollback: async () => (await import('./commands/rollback.ts')).addRollback,
  diff: async () => (await import('./commands/diff.ts')).addDiff,
  history: async () => (await import('./commands/history.ts')).addHistory,
  export: async () => (await import('./commands/export.ts')).addExport,
  backup: async () => (await import('./transfer/backup.ts')).addBackup,
  restore: async () => (await import('./transfer/restore.ts')).addRestore,
  copy: async () => (await import('./transfer/copy.ts')).addCopy,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrate,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctor,
}

const AFTERWORD = `
Settings are environment variables; "pds doctor" lists them. The store is DATABASE_URL, by default sqlite:./data.
Exit status: 0 done, 1 refused and nothing changed (or a backup that lacks a damaged release), 2 wrong usage.`

/** Runs the command line and resolves to the exit status. After `serve` and `demo` the process runs until it is stopped. */
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
  for (const load of commandsFor(words[0])) (await load())(program, cli)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const failure = describeFailure(error, environment)
    process.stderr.write(failure.text)
    return failure.status
  }
  return status
}

/** The named command; all commands for the help and for an unknown name. */
function commandsFor(name = ''): readonly (() => Promise<AddCommand>)[] {
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return named === undefined ? Object.values(COMMANDS) : [named]
}
