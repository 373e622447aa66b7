import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSimulatedFeed } from '../demo/feed/simulated-feed.ts'
import { measureSize } from './figures/size.ts'
import { type Flags, readFlags, USAGE } from './flags.ts'
import { describeRun, describeSize } from './report/report.ts'
import type { Results, SizeResults } from './report/results.ts'
import { checkTargets, describeTargets } from './report/targets.ts'
import { storesFolder } from './servers/data.ts'
import { describeMachine, findCores, pinLoad } from './servers/machine.ts'

/* `npm run bench`: see README.md beside this file. Figures go to standard output, progress to standard error. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

// Leaving by process.exit lets process.ts and data.ts clear up.
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(status))

try {
  const flags = readFlags(process.argv.slice(2))
  if (flags === undefined) process.stdout.write(USAGE)
  else await bench(flags)
  process.exit()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  process.exit(1)
}

async function bench(flags: Flags): Promise<void> {
  const began = performance.now()
  const print = (text: string) => process.stdout.write(`${text}\n\n`)
  const tell = (line: string) => {
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stderr.write(`${String(seconds).padStart(5)} s  ${line}\n`)
  }
  if (flags.build) build()
  const cores = findCores()
  const folder = await storesFolder(flags.store)
  const feed = await startSimulatedFeed()
  pinLoad(cores)
  const run = {
    machine: describeMachine(cores),
    quick: flags.quick,
    rounds: flags.rounds,
    seconds: flags.seconds,
  }
  const sizes: SizeResults[] = []
  print(describeRun({ ...run, sizes }))
  let mix: readonly string[] | undefined
  for (const rows of flags.rows) {
    const measured = await measureSize({ flags, rows, cores, folder, feedUrl: feed.url, mix, tell })
    mix = measured.mix
    sizes.push(measured.results)
    print(describeSize(measured.results))
  }
  const results: Results = { ...run, sizes }
  const targets = checkTargets(results)
  if (targets.length > 0) print(describeTargets(targets))
  mkdirSync(dirname(flags.json), { recursive: true })
  writeFileSync(flags.json, `${JSON.stringify({ ...results, targets }, null, 2)}\n`)
  tell(`done; all figures are in ${flags.json}`)
}

/** Builds the sources as they are, because the bench measures the form that users get. */
function build(): void {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('the service does not build')
}
