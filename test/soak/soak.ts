import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../demo/random.ts'
import type { Numbered } from '../support/numbered-imports.ts'
import { releaseOfRecalls } from '../support/numbered-releases.ts'
import { type NumberedRegister, numberedRegister } from '../support/numbered-vehicles.ts'
import type { Answer } from '../support/serving.ts'
import { until } from '../support/until.ts'
import { vanishedClients } from './client-faults.ts'
import { availability, type StageFigures } from './figures.ts'
import { type HonestClients, startHonestClients } from './honest.ts'
import { inAnyOrder } from './order.ts'
import { watchProcesses } from './process-watch.ts'
import { INTERVAL_MS, SEED } from './settings.ts'
import type { Faults, Service, Stage } from './stage.ts'

/** Vehicles: more than SQLite keeps in memory. */
const VEHICLES = 40_000
const LONG_PAGE = 5000
const PATIENCE_MS = 60_000
/** A reading a second; what is older than this was kept back. */
const NEW_READING_S = 10
/** The part of questions that may be lost where a fault comes every {@link INTERVAL_MS}; a short run has as many faults among fewer questions. */
const MAY_BE_LOST = 0.001

/** What a stage is made of. */
export interface StageOptions {
  readonly name: string
  readonly minutes: number
  readonly start: (t: TestContext, register: NumberedRegister) => Promise<Service>
  /** Each list is done once before the next, in any order, however little time there is. */
  readonly once: readonly Faults[]
  /** These are done after them, over and over. */
  readonly afterwards: Faults
}

/** Has honest clients ask a service while fault after fault is done to it; fails where it did not bear one. */
export async function soak(t: TestContext, options: StageOptions, all: StageFigures[]): Promise<void> {
  const { name, minutes, start, once, afterwards } = options
  const register = numberedRegister(VEHICLES, [LONG_PAGE])
  const service = await start(t, register)
  const random = seededRandom(SEED, name)
  const honest = startHonestClients(t, service, register)
  const stage = makeStage(t, service, honest, register, random)
  const figures: StageFigures = {
    stage: name,
    occurrences: [],
    trends: [],
    slowestLivezMs: 0,
    wrong: 0,
    ended: 0,
  }
  all.push(figures)
  const kinds = once.flatMap(Object.keys).length
  const intervalMs = Math.min(INTERVAL_MS, (minutes * 60_000) / kinds)
  try {
    await stage.untilWell()
    // While an instance starts, it may know of no history yet.
    honest.takeWrong()
    const processes = watchProcesses(service.fleet)
    const begun = performance.now()
    for (const [fault, inject] of inAnyOrder(random, once, afterwards)) {
      const done = figures.occurrences.length
      if (processes.ended.length > 0) break
      if (done >= kinds && performance.now() - begun > minutes * 60_000) break
      const next = performance.now() + intervalMs
      await t.test(`${done + 1}: ${fault}`, async t => {
        honest.oldestReadingS()
        honest.load.mark()
        try {
          await inject(stage, t)
        } finally {
          const corrected = performance.now()
          const isWell = await stage.untilWell().then(
            () => true,
            () => false,
          )
          const [wellS, oldestReadingS] = [(performance.now() - corrected) / 1000, honest.oldestReadingS()]
          const wrong = honest.takeWrong()
          figures.occurrences.push({ fault, ...honest.load.met(), wellS, oldestReadingS })
          figures.wrong += wrong.length
          assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} wrong answers`)
          assert.deepEqual(processes.ended, [], 'a process ended by itself')
          assert.ok(isWell, 'not every client is answered')
        }
      })
      await pause(Math.max(0, next - performance.now()))
    }
    figures.trends = await processes.stop()
    figures.slowestLivezMs = processes.slowestLivezMs
    figures.ended = processes.ended.length
    await t.test('what hostile clients held is free', () => untilFree(service))
  } finally {
    await honest.stop()
  }
  const least = 1 - (MAY_BE_LOST * INTERVAL_MS) / intervalMs
  assert.ok(availability(figures) >= least, `availability ${availability(figures)}, ${least} at least`)
  assert.deepEqual(
    figures.trends.filter(({ isFlat }) => !isFlat),
    [],
  )
}

function makeStage(
  whole: TestContext,
  service: Service,
  { load, judge }: HonestClients,
  register: NumberedRegister,
  random: Stage['random'],
): Stage {
  const { fleet } = service
  const [page = ''] = register.paths
  const known: Record<Numbered, [path: string, releaseIn: (answer: Answer) => number]> = {
    vehicles: [page, answer => judge(answer, page)],
    toilets: ['/v1/toilets', answer => judge(answer, '/v1/toilets')],
    'product-recalls': ['/v1/product-recalls?limit=10', releaseOfRecalls],
  }
  const ages = () => Promise.all(fleet.map(one => one.metric('pds_live_reading_age_seconds')))
  return {
    ...service,
    random,
    whole,
    async untilWell() {
      load.forgetWells()
      await until(() => load.isWell(), 'every client being answered', PATIENCE_MS)
      const areNew = async () => (await ages()).every(age => age !== undefined && age < NEW_READING_S)
      await until(areNew, 'new readings', PATIENCE_MS)
    },
    async untilServed(dataset: Numbered, number) {
      const [path, releaseIn] = known[dataset]
      for (const instance of fleet)
        await until(
          async () => {
            const answer = await instance.serving().get(path)
            return answer.status === 200 && releaseIn(answer) >= number
          },
          `${instance.name} serving ${dataset} ${number}`,
          PATIENCE_MS,
        )
    },
  }
}

/** Streams whose clients vanished end after ten minutes; an honest client has one of each instance. */
async function untilFree({ fleet }: Service): Promise<void> {
  const sum = async (series: string) => {
    const values = await Promise.all(fleet.map(instance => instance.metric(series)))
    return values.reduce<number>((total, value) => total + (value ?? 0), 0)
  }
  await until(
    async () => (await sum('pds_stream_clients')) <= fleet.length + vanishedClients(),
    'streams being closed',
    90_000,
  )
  await until(
    async () => (await sum('pds_http_unread_bytes')) < 1024 * 1024,
    'responses being let go',
    60_000,
  )
  for (const { name, serving } of fleet) {
    const failed = serving().log.filter(({ event }) => event === 'request-failed')
    assert.deepEqual(failed, [], `${name} failed internally`)
  }
}
