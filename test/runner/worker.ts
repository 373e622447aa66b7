import assert from 'node:assert/strict'
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/*
 * Runs test files one after another in this process, each as a suite of its own: the modules that they share are loaded once.
 * The parent sends a file's path, or '' after the last one; reporter.mjs sends the results.
 */

/** After its last file a process ends by itself, unless a test has left something open. */
const ENDS_WITHIN_MS = 15_000

/**
 * node:test notes for each promise which test made it, at 60 times the cost of the promise, and keeps each test with all that it
 * made until the process ends. Only while a file is loaded is that needed, to know whose tests it declares: the hook is
 * disabled afterwards, and what it noted is forgotten with the file.
 */
let hook: AsyncHook | undefined
let noted = new Map<number, { name?: string; subtests?: unknown[] }>()
let forget = (_: number) => {}
const { createHook } = asyncHooks
asyncHooks.createHook = callbacks => {
  forget = callbacks.destroy ?? forget
  hook = createHook({
    ...callbacks,
    init(id, type, trigger, resource) {
      noted.set(id, resource)
      callbacks.init?.(id, type, trigger, resource)
    },
  })
  return hook
}
const { after, describe } = await import('node:test')

/** What tests replace: one mock on top of another is not put back. */
const replaced = () => [Math.random, Date.now, performance.now, setTimeout]
const originals = replaced()

const files: string[] = []

process.on('message', async (file: string) => {
  for (const [id, { name, subtests }] of noted) {
    forget(id)
    if (files.includes(name ?? '')) subtests?.splice(0)
  }
  noted = new Map()
  if (file === '') return end()
  files.push(file)
  const { href } = pathToFileURL(resolve(file))
  await loadImports(href)
  hook?.enable()
  describe(file, async () => {
    after(() => assert.deepEqual(replaced(), originals, 'a mock is left behind'))
    await import(href).finally(() => hook?.disable())
  })
})

/** Loads the modules of a file while the hook is off. One that fails does so again for the file, which is then red. */
async function loadImports(file: string): Promise<void> {
  const imports = readFileSync(new URL(file), 'utf8').matchAll(/^(?:import .*|} )from '(\..*)'$/gm)
  await Promise.allSettled(Array.from(imports, ([, module = '']) => import(new URL(module, file).href)))
}

// Without the hook node:test does not know whose error it is; the parent knows which file runs.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, error => process.send?.({ kind: 'uncaught', message: inspect(error) }))

// Without its parent nobody waits for the results.
process.once('disconnect', () => process.exit(1))

function end(): void {
  process.channel?.unref()
  const late = setTimeout(() => {
    const left = process.getActiveResourcesInfo()
    const message = `one of these files leaves something open (${left.join(', ')}):\n${files.join('\n')}`
    process.send?.({ kind: 'left open', message }, () => process.exit(1))
  }, ENDS_WITHIN_MS)
  late.unref()
}
