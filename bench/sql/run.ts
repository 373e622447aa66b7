import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { decimal, whole } from '../report/numbers.ts'
import { markdownTable } from '../report/table.ts'
import { importVehicles } from './fill.ts'
import { type Flags, readFlags, USAGE } from './flags.ts'
import { measure } from './measured.ts'
import { plansOf } from './plans.ts'
import { startBenchCitus, startBenchServer } from './server.ts'
import { sizesOf } from './sizes.ts'

/* `npm run bench:sql`: see README.md beside this file. */

/** Longer statements are cut to this length. */
const LONGEST = 110

try {
  const flags = readFlags(process.argv.slice(2))
  if (flags === undefined) process.stdout.write(USAGE)
  else for (const rows of flags.rows) await bench(rows, flags)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/** Each number of rows has a separate server, so that no run finds memory or disk as another run left them. */
async function bench(rows: number, { times, plans, citus }: Flags): Promise<void> {
  const server = await (citus ? startBenchCitus() : startBenchServer())
  try {
    print(`## ${whole(rows)} vehicles`)
    const settings = Object.entries(server.settings).map(([name, value]) => `${name} = ${value}`)
    print(`The server's settings: ${settings.join(', ')}; for the rest, what it comes with.`)

    const { release, phases } = await importVehicles(server.address, rows)
    const seconds = phases.map(([name, taken]) => [name, decimal(taken, 1), decimal((taken * 1e6) / rows, 1)])
    print(markdownTable(['phase of the import', 's', 'µs a row'], seconds))
    const slow = server
      .slowStatements()
      .map(({ ms, text }) => [`\`${text.slice(0, LONGEST)}\``, decimal(ms / 1000, 1)])
    if (slow.length > 0) print(markdownTable(['statement of the import', 's'], slow))
    if (!citus) print(await sizesOf(server.address))

    // A slow query is a figure, not an error.
    const store = await openStore(`${server.address}?statement_timeout=60000`)
    const opened = await store.releases.open(release, vehicles.layout)
    if (opened.table === undefined) throw new Error('the vehicles are no table')
    print(await measure(opened.table, rows, times))
    await store.close()
    if (plans) print(await plansOf(server.address, rows))
  } finally {
    await server.end()
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`)
}
