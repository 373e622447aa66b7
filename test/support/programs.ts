import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** Debian installs some servers where only the administrator's path leads. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']

/** The file of the first of these programs that is installed; undefined where none is. */
export const installedProgram = (...names: readonly string[]): string | undefined =>
  names.flatMap(name => FOLDERS.map(folder => join(folder, name))).find(isExecutable)

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A running program. */
export interface RunningProgram {
  readonly pid: number
  /** Kills it and waits until it has ended. */
  end(): Promise<void>
}

/**
 * The shell prints the program's id, reads until this process has ended, however it ends, and then kills the program, even
 * a frozen one.
 */
const KILL_AFTERWARDS = '"$0" "$@" </dev/null >/dev/null 2>&1 & echo $!; read -r _; kill -KILL $!; wait'

/** Starts a program that ends with this process at the latest. */
export async function startProgram(
  program: string | undefined,
  words: readonly string[],
  owner: { readonly uid?: number; readonly gid?: number } = {},
): Promise<RunningProgram> {
  const shell = spawn('sh', ['-c', KILL_AFTERWARDS, program ?? '', ...words], {
    ...owner,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(shell, 'exit')
  const [pid] = await once(createInterface(shell.stdout), 'line')
  return {
    pid: Number(pid),
    async end() {
      shell.stdin.end()
      await ended
    },
  }
}
