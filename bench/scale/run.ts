import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cluster } from '../../test/support/postgres.ts'
import { requestBytes } from '../load/connection.ts'
import { driveLoad } from '../load/load.ts'
import { mixOfServed } from '../load/mix-of-served.ts'
import { decimal, whole } from '../report/numbers.ts'
import { median, spread } from '../report/statistics.ts'
import { markdownTable } from '../report/table.ts'
import { describeMachine, findCores, pin, pinLoad } from '../servers/machine.ts'
import { childrenOf, cpuSeconds, runNode } from '../servers/process.ts'
import { type Service, startService } from '../servers/service.ts'
import { makeQuota } from './quota.ts'

/*
 * Compares two instances with one, without a core for each. Every instance gets the same share of one core and no more. The
 * load has another core. Both instances run all the time. In each round, the load goes to one, then to both. A store keeps its
 * tables for one engine, so each engine has a separate store.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '131000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    share: { type: 'string', default: '0.45' },
  },
})
const [rows, rounds, seconds, share] = [values.rows, values.rounds, values.seconds, values.share].map(Number)
if (!rows || !rounds || !seconds || !share || share > 0.5)
  throw new RangeError('--rows, --rounds, --seconds are numbers, --share is one up to 0.5')

/** The engines that answer about vehicles, without a cache of answers. */
const ENGINES = {
  memory: { connections: 32, settings: { TABLE_ENGINE: 'memory', RESPONSE_CACHE_MB: '0' } },
  sql: { connections: 8, settings: { TABLE_ENGINE: 'sql', RESPONSE_CACHE_MB: '0' } },
}

const cores = findCores()
if (cores === undefined) throw new Error('this needs taskset and two cores')
const postgres = await cluster()

const { cpu, node, date } = describeMachine(cores)
console.log(
  `${cpu}, ${node}, ${date}; ${whole(rows)} vehicles on PostgreSQL; every instance has ${share * 100} % of one core,`,
)
console.log(
  `load and PostgreSQL have another; ${rounds} rounds of ${seconds} s, in turn; median (least to greatest)\n`,
)
const lines: string[][] = []
for (const [engine, { connections, settings }] of Object.entries(ENGINES))
  lines.push([engine, ...(await compare(engine, connections, settings))])
console.log(
  markdownTable(
    ['engine', 'one, answers/s', 'two, answers/s', 'ratio', 'PostgreSQL with two, cores', 'refused'],
    lines,
  ),
)
process.exit()

async function compare(
  engine: string,
  connections: number,
  settings: Record<string, string>,
): Promise<string[]> {
  const store = await filledStore(engine, settings)
  const services = await Promise.all(
    ['one', 'two'].map(name => startCapped(`${engine}-${name}`, store, settings)),
  )
  pinLoad(cores)
  for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) pin(pid, cores?.load ?? '')
  const [first] = services
  if (first === undefined) throw new Error('nothing was started')
  const paths = await mixOfServed(first, rows ?? 0)
  const [one, two, busy]: [number[], number[], number[]] = [[], [], []]
  let refused = 0
  for (let round = 0; round <= (rounds ?? 0); round++) {
    const alone = await answersASecond([first], paths, connections)
    const together = await answersASecond(services, paths, connections)
    refused += alone.refused + together.refused
    // The first round only warms up the instances.
    if (round === 0) continue
    one.push(alone.rate)
    two.push(together.rate)
    busy.push(together.postgresCores)
  }
  await Promise.all(services.map(service => service.stop()))
  const ratio = spread(one.map((rate, round) => (two[round] ?? 0) / rate))
  return [
    whole(median(one)),
    whole(median(two)),
    `${decimal(ratio.median)} (${decimal(ratio.min)} to ${decimal(ratio.max)})`,
    decimal(median(busy)),
    whole(refused),
  ]
}

/** Makes a store with the vehicles, imported with the settings of the instances that will serve them. */
async function filledStore(engine: string, settings: Record<string, string>): Promise<string> {
  const store = await postgres.emptyDatabase()
  process.stderr.write(`filling a store with ${whole(rows)} vehicles for ${engine}\n`)
  const fill = fileURLToPath(new URL('../servers/fill-store.ts', import.meta.url))
  await runNode(['--import', import.meta.resolve('tsx'), fill, store, String(rows)], {
    cores: cores?.all,
    environment: settings,
  })
  return store
}

/** Starts an instance with all cores, and then limits it to its share. */
async function startCapped(name: string, store: string, settings: Record<string, string>): Promise<Service> {
  const service = await startService({ name, store, feedUrl: '', settings })
  const quota = makeQuota(name, share ?? 0)
  if (quota === undefined) throw new Error('this needs control groups that can be written to')
  quota.add(service.pid)
  pin(service.pid, cores?.server ?? '')
  return service
}

async function answersASecond(services: readonly Service[], paths: readonly string[], connections: number) {
  const before = cpuSeconds(postgres.pid)
  const results = await Promise.all(
    services.map(({ port }) =>
      driveLoad({
        port,
        requests: paths.map(path => requestBytes(port, path)),
        connections,
        warmSeconds: 0.5,
        seconds: seconds ?? 0,
        status: 200,
      }),
    ),
  )
  const failure = results.find(({ failed }) => failed > 0)
  if (failure !== undefined) throw new Error(`a wrong answer: ${failure.firstFailure}`)
  const used = cpuSeconds(postgres.pid) - before
  return {
    rate: results.reduce((sum, { answers, seconds: took }) => sum + answers / took, 0),
    refused: results.reduce((sum, { refused }) => sum + refused, 0),
    postgresCores: used / ((seconds ?? 0) + 0.5),
  }
}
