import { resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/*
 * Runs test files one after another in this process, each as a suite of its own: the modules that they share are loaded once.
 * The parent sends a file's path, or '' after the last one; reporter.mjs sends the results.
 */

/** After its last file a process ends by itself, unless a test has left something open. */
const ENDS_WITHIN_MS = 15_000

const files: string[] = []

process.on('message', (file: string) => {
  if (file === '') return end()
  files.push(file)
  describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
})

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
