import assert from 'node:assert/strict'
import { RELEASES } from '../../src/store/postgres/coordination.ts'
import { LEADER_LOST_S, type PatroniNode } from '../support/patroni.ts'
import { run } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { servedAfter } from './release-faults.ts'
import { type Fault, type Stage, stopwatch } from './stage.ts'

/** In seconds, after a leader's PostgreSQL crashed or the leader was changed in good order. */
const WRITTEN_AGAIN = 10
/** In seconds, after a leader froze or vanished. */
const WRITTEN_AGAIN_ELSEWHERE = LEADER_LOST_S + 5
/** In seconds, after it may be written again. */
const WELL_AGAIN = 5

export async function killReplica({ installation: { postgres }, asksServers, untilWell }: Stage) {
  const replica = await postgres.replica()
  await replica.killPostgres()
  await untilWell()
  await postgres.untilHealthy()
  const returned = stopwatch()
  if (!asksServers) return {}
  await until(() => isRead(postgres.readerAddress), 'the replica being read again')
  return { 'read again': returned() }
}

/** Whether instances have connections to the server behind an address. */
async function isRead(address: string): Promise<boolean> {
  const [row] = await run<{ count: string }>(
    address,
    "select count(*) from pg_stat_activity where application_name = 'pds'",
  )
  return Number(row?.count) > 0
}

export async function freezeReplica({ installation: { postgres }, untilWell }: Stage) {
  const replica = await postgres.replica()
  await replica.freeze()
  await untilWell()
  const thawed = stopwatch()
  await replica.thaw()
  await untilWell()
  const well = thawed()
  await postgres.untilHealthy()
  return { 'well after the thaw': well }
}

/** What is done to the leader, and what brings it back where it does not come by itself. */
interface Loss {
  readonly within: number
  readonly lose: (leader: PatroniNode, stage: Stage) => Promise<unknown>
  readonly comeBack?: (leader: PatroniNode) => Promise<void>
}

const replaceLeader =
  ({ within, lose, comeBack }: Loss): Fault =>
  async stage => {
    const { installation, fleet, untilWell } = stage
    const { postgres } = installation
    const leader = await postgres.leader()
    const lost = stopwatch()
    await lose(leader, stage)
    await postgres.untilWritable()
    const written = lost()
    await until(async () => !(await missing(fleet)).some(what => what.startsWith('store')), 'all being well')
    await untilWell()
    const well = lost()
    const { number } = await installation.publish('toilets')
    await servedAfter(installation, fleet, 'toilets', number)
    const newRelease = lost()
    await comeBack?.(leader)
    await postgres.untilHealthy()
    assert.ok(written <= within, `written again after ${written} s`)
    assert.ok(well - written <= WELL_AGAIN, `well ${well - written} s after that`)
    return { 'written again': written, 'all well': well, 'a release published': newRelease }
  }

const missing = async (fleet: Stage['fleet']) =>
  (await Promise.all(fleet.map(instance => instance.missing()))).flat()

/** Loses the leader while an import writes, which must end with a whole release or with nothing. */
const whileImporting =
  (fault: Fault): Fault =>
  async stage => {
    const { installation } = stage
    const { postgres } = installation
    const numbers = async () => {
      const rows = await postgres.run<{ number: number }>(
        "select number from pds.releases where dataset = 'vehicles' order by number",
      )
      return rows.map(({ number }) => number)
    }
    const before = await numbers()
    const importing = installation.tryToPublish('vehicles')
    const writing = `select 1 from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and classid = ${RELEASES} and query ~* '^(copy|insert)'`
    await until(async () => (await postgres.run(writing)).length > 0, 'the import writing')
    const seconds = await fault(stage)
    const { isPublished } = await importing
    const added = (await numbers()).filter(number => !before.includes(number))
    assert.equal(added.length, Number(isPublished), `new releases: ${added}`)
    const { number, seconds: took } = await installation.publish('vehicles')
    await servedAfter(installation, stage.fleet, 'vehicles', number)
    return { ...seconds, 'the next import': took }
  }

export const killLeader = whileImporting(
  replaceLeader({ within: WRITTEN_AGAIN, lose: leader => leader.killPostgres() }),
)

export const switchOver = whileImporting(
  replaceLeader({
    within: WRITTEN_AGAIN,
    lose: (_, { installation }) => installation.postgres.switchover(),
  }),
)

export const freezeLeader = replaceLeader({
  within: WRITTEN_AGAIN_ELSEWHERE,
  lose: leader => leader.freeze(),
  comeBack: leader => leader.thaw(),
})

export const loseLeader = replaceLeader({
  within: WRITTEN_AGAIN_ELSEWHERE,
  lose: leader => leader.lose(),
  comeBack: leader => leader.start(),
})

/** Patroni starts both again, and one of them leads. */
export const killServers = replaceLeader({
  within: WRITTEN_AGAIN_ELSEWHERE,
  async lose(leader, { installation }) {
    const replica = await installation.postgres.replica()
    await Promise.all([leader.killPostgres(), replica.killPostgres()])
  },
})
