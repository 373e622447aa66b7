import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/**
 * How the command is run: as users run it where test/run.ts has just built it, which starts in half the time; from its
 * source where a test file is run by itself.
 */
export const COMMAND =
  process.env.PDS_TEST_BUILT === undefined
    ? [
        '--import',
        import.meta.resolve('./typescript.mjs'),
        fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
      ]
    : [fileURLToPath(new URL('../../bin/pds', import.meta.url))]

/** How many workers each service has: PDS_TEST_WORKERS, for the tests of faults. */
export const TEST_WORKERS = Number(process.env.PDS_TEST_WORKERS ?? 1)

/**
 * Whether requests find it so in each worker. They are sent at once, so that each has a connection of its own. A release
 * reaches workers up to half a second apart, a reading some milliseconds.
 */
export const everywhere = async (isSo: () => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(Array.from({ length: 3 * TEST_WORKERS }, isSo))).every(Boolean)

type Environment = Readonly<Record<string, string>>

/** What came of a command. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a process is started. */
export interface Start extends Pick<SpawnOptions, 'stdio'> {
  /** A command of the shell that runs first, in the same process, such as one that limits it. */
  readonly first?: string
  /** Flags of Node. */
  readonly flags?: readonly string[]
}

/**
 * Starts the `pds` command in a folder, with no setting but those given; its three streams are pipes unless told. A service runs in
 * {@link TEST_WORKERS} workers.
 */
export function startPds(
  folder: string,
  words: readonly string[],
  environment: Environment = {},
  { first, flags = [], stdio }: Start = {},
): ChildProcessWithoutNullStreams {
  const command = [process.execPath, ...flags, ...COMMAND, ...words]
  const [program = '', ...rest] =
    first === undefined ? command : ['sh', '-c', `${first}; exec "$@"`, 'sh', ...command]
  const { PATH = '' } = process.env
  const workers = words[0] === 'serve' ? { WORKERS: String(TEST_WORKERS) } : {}
  const env = { PATH, ...workers, ...environment }
  return spawn(program, rest, { cwd: folder, env, stdio }) as ChildProcessWithoutNullStreams
}

/** Runs the `pds` command to its end. */
export async function pds(
  folder: string,
  words: readonly string[],
  { input = '', environment = {} }: { input?: string | Buffer; environment?: Environment } = {},
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
