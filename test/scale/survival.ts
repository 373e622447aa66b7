import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Instance } from '../support/fleet.ts'
import { startJudgedLoad } from '../support/judged-load.ts'
import { numberedRegister } from '../support/numbered-vehicles.ts'
import { NO_PATRONI } from '../support/patroni.ts'
import { TEST_WORKERS } from '../support/pds.ts'
import { NO_REDIS } from '../support/redis.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { until } from '../support/until.ts'
import { type AnswerJudge, answerJudge } from './answers.ts'
import { FAULTS } from './faults.ts'
import { type FaultFigures, tellFigures } from './figures.ts'
import { type Installation, startInstallation } from './installation.ts'
import { loseLeader } from './server-faults.ts'

/** With the whole island's 131,000 vehicles, each import takes 13 to 30 s. */
const VEHICLES = Number(process.env.SCALE_VEHICLES || 40_000)

/** What differs with where vehicles are answered from. Answers from SQL are never kept, so that all ask a server. */
const REGISTERS = {
  memory: { settings: { TABLE_ENGINE: 'memory' }, pauseMs: 25 },
  sql: { settings: { TABLE_ENGINE: 'sql', RESPONSE_CACHE_MB: '0' }, pauseMs: 100 },
}

/** Tests that three instances, with the register in one of the two, survive every fault. */
export function testSurvival(register: keyof typeof REGISTERS): void {
  const title = `three instances under steady load survive every fault with the register in ${register}: no wrong response, no undocumented error`
  test(title, { skip: NO_PATRONI || NO_REDIS }, async t => {
    const vehicles = numberedRegister(VEHICLES)
    const installation = await startInstallation(t, vehicles, REGISTERS[register].settings)
    const figures: FaultFigures[] = []
    t.after(() => tellFigures(t, figures))
    for await (const one of liveThrough(t, register, installation, answerJudge(vehicles))) figures.push(one)
  })
}

async function* liveThrough(
  t: TestContext,
  register: keyof typeof REGISTERS,
  installation: Installation,
  { judge, paths, oldestReadingS }: AnswerJudge,
): AsyncGenerator<FaultFigures> {
  const { pauseMs } = REGISTERS[register]
  const fleet = await installation.startFleet(t, 3, { VEHICLES_RATE_LIMIT: '1000000000' })
  const proxy = await startRoundRobin(t, fleet)
  const targets = [{ name: 'the proxy', url: proxy.url, isOneInstance: false }, ...fleet.map(target)]
  const load = startJudgedLoad({ targets, clients: 3, paths, judge, pauseMs })
  const untilWell = async () => {
    load.met()
    load.forgetWells()
    await until(() => load.isWell(), 'every client being answered')
  }
  const stage = { installation, fleet, proxy, asksServers: register === 'sql', untilWell }
  try {
    for (const [fault, run] of Object.entries(FAULTS)) {
      if (register === 'sql' && run === loseLeader) continue
      let seconds = {}
      await t.test(fault, async () => {
        await untilWell()
        oldestReadingS()
        load.mark()
        try {
          seconds = await run(stage)
          await untilWell()
          const { refusals } = load.met()
          if (register === 'memory') assert.equal(refusals, 0, 'requests were refused')
        } catch (error) {
          await tellWhatIsAmiss(t, fleet)
          throw error
        }
      })
      yield { register, fault, seconds, ...load.met(), oldestReadingS: oldestReadingS() }
    }
  } finally {
    await load.stop()
    // Who is killed asks the feed by right for some seconds more; the next three would begin with an old reading.
    await Promise.all(fleet.filter(({ away }) => away === undefined).map(instance => instance.stop()))
  }
}

const WARNING = 40

/** What the instances themselves say, for people who look for the cause. */
async function tellWhatIsAmiss(t: TestContext, fleet: readonly Instance[]): Promise<void> {
  for (const { name, serving } of fleet) {
    const { text } = await serving()
      .admin('/readyz')
      .catch(error => ({ text: String(error) }))
    t.diagnostic(`${name}: ${text}`)
    const told = serving().log.filter(({ level, msg }) => level >= WARNING || msg === 'serving release')
    for (const line of told.slice(-10)) t.diagnostic(`${name}: ${JSON.stringify(line).slice(0, 1000)}`)
  }
}

const target = (instance: Instance) => ({
  name: instance.name,
  url: instance.url,
  // Two connections to workers of an instance may differ for some milliseconds.
  isOneInstance: TEST_WORKERS === 1,
  get away() {
    return instance.away
  },
})
