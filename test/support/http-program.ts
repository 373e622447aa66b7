import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { until } from './until.ts'

/** Starts a program in the foreground and waits until an address of it answers. It ends with the test. */
export async function startHttpProgram(
  t: TestContext,
  [program = '', ...words]: readonly string[],
  address: string,
  headers: Readonly<Record<string, string>> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: environment })
  const errors = text(child.stderr)
  const gone = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await gone
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${await errors}`)
    return fetch(address, { headers, redirect: 'manual' }).then(
      () => true,
      () => false,
    )
  }, `${program} answering`)
}
