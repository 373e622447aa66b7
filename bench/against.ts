import { rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startSimulatedFeed } from '../demo/feed/simulated-feed.ts'
import { positive, whole } from './flags.ts'
import { ask } from './load/answer.ts'
import { mixOfServed } from './load/mix-of-served.ts'
import { playOnEach } from './load/play.ts'
import { SCENARIOS } from './load/scenarios.ts'
import { compareCosts, figuresOf } from './report/measured.ts'
import { decimal, ratioText } from './report/numbers.ts'
import { median } from './report/statistics.ts'
import { markdownTable } from './report/table.ts'
import { storesFolder } from './servers/data.ts'
import { findCores, pinLoad } from './servers/machine.ts'
import { runNode } from './servers/process.ts'
import { startIdle, startService } from './servers/service.ts'
import { serviceSettings } from './servers/service-settings.ts'
import { vehiclesSource } from './servers/vehicles-source.ts'

/* `npm run bench:against -- FOLDER`: compares this build with the build of another checkout. See README.md beside this file. */

const USAGE = `npm run bench:against -- FOLDER [flags]

  FOLDER           another checkout of the service; both are built already
  --rows N         number of vehicles (131000)
  --times N        how often each command is run (5)
  --rounds N       slices of each build in a scenario (25)
  --seconds N      length of a slice (0.05)
  --only PATTERN   scenarios whose names match this regular expression; "^$" for the commands alone
`

/** A build, with its own store. */
interface Build {
  readonly checkout: string
  readonly pds: string
  /** The folder of the store. */
  readonly place: string
}

// Leaving by process.exit lets process.ts and data.ts clear up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

try {
  await compare(process.argv.slice(2))
  process.exit()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

async function compare(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rows: { type: 'string', default: '131000' },
      times: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '25' },
      seconds: { type: 'string', default: '0.05' },
      only: { type: 'string', default: '' },
    },
  })
  const [other] = positionals
  if (other === undefined) return void process.stdout.write(USAGE)
  const folder = await storesFolder(undefined)
  const feed = await startSimulatedFeed()
  const builds = [resolve(other), fileURLToPath(new URL('..', import.meta.url))].map((checkout, i) => ({
    ...{ checkout, pds: join(checkout, 'bin/pds'), place: join(folder, String(i)) },
  }))
  const rows = whole('rows', values.rows)
  const source = join(folder, 'vehicles.csv')
  await writeFile(source, vehiclesSource({ rows }))
  await compareCommands(builds, source, whole('times', values.times), feed.url)
  const seconds = positive('seconds', values.seconds)
  await compareRequests(builds, new RegExp(values.only, 'i'), rows, feed.url, {
    ...{ rounds: whole('rounds', values.rounds), seconds, warmSeconds: seconds / 4 },
  })
}

/** Times the commands that operators wait for: each command of both builds in turn, with all cores. */
async function compareCommands(
  builds: readonly Build[],
  source: string,
  times: number,
  feedUrl: string,
): Promise<void> {
  const took = new Map<string, number[][]>()
  const note = (what: string, build: number, seconds: number) => {
    const all = took.get(what) ?? builds.map(() => [])
    took.set(what, all)
    all[build]?.push(seconds)
  }
  for (let time = 0; time < times; time++)
    for (const [i, build] of builds.entries()) {
      const backup = `${build.place}.backup`
      const run = async (what: string, place: string, ...words: string[]) => {
        const began = performance.now()
        await runNode([build.pds, ...words], { environment: { DATABASE_URL: `sqlite:${place}` } })
        note(what, i, (performance.now() - began) / 1000)
      }
      await emptyFolder(build.place)
      await run('import', build.place, 'import', 'vehicles', source)
      const service = await startService({
        name: 'start',
        pds: build.pds,
        store: `sqlite:${build.place}`,
        feedUrl,
      })
      note('start to first answer', i, service.startedInMs / 1000)
      await service.stop()
      rmSync(backup, { force: true })
      await run('back-up', build.place, 'backup', backup)
      await emptyFolder(`${build.place}-restored`)
      await run('restore', `${build.place}-restored`, 'restore', backup)
    }
  const lines = [...took].map(([what, all]) => {
    const [other = Number.NaN, own = Number.NaN] = all.map(median)
    return [what, decimal(other), decimal(own), ratioText(own / other)]
  })
  print(markdownTable(['seconds, medians', 'other build', 'this build', 'this by other'], lines))
}

async function emptyFolder(path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true })
  await mkdir(path)
}

/** Measures the requests of consumers: each scenario on both services in turn, with the vehicles and lists of the synthetic island. */
async function compareRequests(
  builds: readonly Build[],
  only: RegExp,
  rows: number,
  feedUrl: string,
  rounds: Parameters<typeof playOnEach>[3],
): Promise<void> {
  const cores = findCores()
  pinLoad(cores)
  for (const { checkout, place } of builds) {
    const script = join(checkout, 'bench/servers/fill-store.ts')
    await runNode(['--import', import.meta.resolve('tsx'), script, `sqlite:${place}`, '0'])
  }
  const lines: string[][] = []
  for (const kind of ['memory', 'unlogged', 'limited', 'memoryUncached'] as const) {
    const scenarios = SCENARIOS.filter(({ service, name }) => service === kind && only.test(name))
    if (scenarios.length === 0) continue
    const services = []
    for (const { pds, place } of builds)
      services.push(
        await startIdle({ ...serviceSettings({ store: `sqlite:${place}`, feedUrl, cores })[kind], pds }),
      )
    const [other] = services
    const mix = other === undefined || kind === 'limited' ? [] : await mixOfServed(other, rows)
    // Fills the caches with every answer of the mix.
    for (const { port } of services) for (const path of mix) await ask(port, { path })
    for (const scenario of scenarios) {
      const [before = [], after = []] = await playOnEach(scenario, services, mix, rounds)
      const least = [before, after].map(slices => decimal(figuresOf(slices).cpuMicros?.min, 1))
      lines.push([scenario.name, ...least, ratioText(compareCosts(after, before)?.ofLeast)])
    }
    for (const service of services) await service.stop()
  }
  if (lines.length > 0)
    print(markdownTable(['least CPU of a request, µs', 'other build', 'this build', 'this by other'], lines))
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`)
}
