import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'

const TYPESCRIPT = import.meta.resolve('./typescript.mjs')

/** Another process that runs a piece of the project, and ends with the test at the latest. */
export interface OtherProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** The next line that it writes. Throws with its error output if it ends instead. */
  nextLine(): Promise<string>
  /** Kills it and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Starts Node on these arguments, so that it loads TypeScript. */
export function startProcess(t: TestContext, ...words: string[]): OtherProcess {
  const child = spawn(process.execPath, ['--import', TYPESCRIPT, ...words])
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    child.kill(signal)
    await ended
  }
  t.after(() => kill())
  return {
    child,
    kill,
    async nextLine() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the other process ended: ${errors}`)
      return value
    },
  }
}
