import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/**
 * How the command is run: as users run it where test/run.ts has just built it, which starts in half the time; from its
 * source where a test file is run by itself.
 */
const COMMAND =
  process.env.PDS_TEST_BUILT === undefined
    ? ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('../../src/main.ts', import.meta.url))]
    : [fileURLToPath(new URL('../../bin/pds', import.meta.url))]

type Environment = Readonly<Record<string, string>>

/** What came of a command. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the `pds` command in a folder, with no setting but those given. */
export function startPds(
  folder: string,
  words: readonly string[],
  environment: Environment = {},
): ChildProcessWithoutNullStreams {
  const PATH = process.env.PATH ?? ''
  return spawn(process.execPath, [...COMMAND, ...words], { cwd: folder, env: { PATH, ...environment } })
}

/** Runs the `pds` command to its end. */
export async function pds(
  folder: string,
  words: readonly string[],
  { input = '', environment = {} }: { input?: string; environment?: Environment } = {},
): Promise<Ended> {
  const child = startPds(folder, words, environment)
  // A command that does not read its input may end before it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status, stdout, stderr }
}
