import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/*
 * Runs the tests below the folders named on the command line (src and test by default). At the end it names every test
 * that was skipped with its reason: what a machine lacks is said, never passed over.
 */

const roots = process.argv.slice(2)
const files = (roots.length > 0 ? roots : ['src', 'test']).flatMap(root =>
  root.endsWith('.ts')
    ? [root]
    : readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.test.ts'))
        .map(file => join(root, file)),
)

const skipped: string[] = []
const stream = run({ files: files.sort(), concurrency: Math.max(1, availableParallelism()) })
stream.on('test:fail', () => {
  process.exitCode = 1
})
stream.on('test:pass', ({ name, skip }) => {
  if (skip !== undefined && skip !== false)
    skipped.push(`  ${name}: ${skip === true ? 'no reason given' : skip}`)
})
stream.compose(spec).pipe(process.stdout)
process.on('exit', () => {
  if (skipped.length > 0) console.log(`\nSkipped, and what would let them run:\n${skipped.join('\n')}`)
})
