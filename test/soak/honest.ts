import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { answerJudge, type ReleaseChecks } from '../scale/answers.ts'
import { openStream, type ReceivedEvent } from '../support/event-streams.ts'
import { type JudgedLoad, startJudgedLoad } from '../support/judged-load.ts'
import { countAt } from '../support/made-up-carparks.ts'
import { releaseOfRecalls } from '../support/numbered-releases.ts'
import type { NumberedRegister } from '../support/numbered-vehicles.ts'
import type { Answer } from '../support/serving.ts'
import { PAST } from './known-past.ts'
import { HONEST } from './settings.ts'
import type { Service } from './stage.ts'

const STREAM = '/v1/carparks/live-spaces/stream'
const RECALLS = '/v1/product-recalls?limit=200'
const DOCUMENTS = ['/docs', '/openapi.json', '/docs/api']
const FORECAST = '/v1/carparks/HARBST/forecast'

/** Between an answer and the client's next question. */
const PAUSE_MS = 100

/** Clients that ask as users do, one for each kind of request, and judge every answer. */
export interface HonestClients {
  readonly load: JudgedLoad
  /** Fails unless an answer is right; gives the number of its release. */
  readonly judge: (answer: Answer, path: string) => number
  /** The age of the oldest reading since this was asked last, in seconds. */
  readonly oldestReadingS: () => number
  /** Gives what was wrong, and forgets it. */
  takeWrong(): string[]
  stop(): Promise<void>
}

/** Starts the clients of a service, and of each of its instances one of the stream and, if there are several, one of lists. */
export function startHonestClients(
  t: TestContext,
  { fleet, url }: Service,
  register: NumberedRegister,
): HonestClients {
  const documents = DOCUMENTS.map((path): [string, () => number] => [path, () => 0])
  const known = answerJudge(register, { [RECALLS]: releaseOfRecalls, ...Object.fromEntries(documents) })
  const judge = (answer: Answer, path: string) => OF_PARKING[path]?.(answer) ?? known.judge(answer, path)
  const [instance] = fleet
  const isOneInstance = fleet.length === 1
  const ask = (name: string, paths: readonly string[], headers = {}) => ({
    ...{ name, url, isOneInstance, paths, headers },
    get away() {
      return isOneInstance ? instance?.away : undefined
    },
  })
  const lists = register.paths.filter(path => path.includes('limit'))
  const counts = register.paths.filter(path => !path.includes('limit'))
  const targets = [
    ...lists.map(path => ask(`vehicles ${path}`, [path])),
    ask('counts of vehicles', counts),
    ask('recalls in brotli', [RECALLS], { 'accept-encoding': 'br' }),
    ask('toilets', ['/v1/toilets']),
    ask('live spaces', ['/v1/carparks/live-spaces']),
    ask('history', Object.keys(PAST)),
    ask('forecast', [FORECAST]),
    ask('documentation', DOCUMENTS),
    ...(isOneInstance ? [] : fleet.map(one => instanceOf(one, [...register.paths, '/v1/toilets']))),
  ]
  const localAddress = HONEST
  const options = { targets, clients: 1, paths: [], judge, pauseMs: PAUSE_MS, localAddress }
  const load = startJudgedLoad({ ...options, mayLoseConnections: true })
  const streams = fleet.map(instance => followStream(t, instance.url))
  return {
    load,
    judge,
    oldestReadingS: known.oldestReadingS,
    takeWrong: () => [...load.takeWrong(), ...streams.flatMap(({ wrong }) => wrong.splice(0))],
    async stop() {
      await Promise.all([load, ...streams].map(one => one.stop()))
    },
  }
}

const instanceOf = (instance: Service['fleet'][number], paths: readonly string[]) => ({
  ...{ name: instance.name, url: instance.url, isOneInstance: true, paths },
  get away() {
    return instance.away
  },
})

/** What belongs to no release, and changes with the feed. */
const OF_PARKING: ReleaseChecks = { ...PAST, [FORECAST]: judgeForecast }

/** Nothing is known of the numbers, but how they belong together. */
function judgeForecast({ text }: Answer): number {
  const { code, from, results, reason } = JSON.parse(text)
  assert.equal(code, 'HARBST')
  assert.equal(results.length === 0, reason !== null)
  for (const { minutesAhead, at, low, expected, high } of results) {
    assert.equal(Date.parse(at) - Date.parse(from), minutesAhead * 60_000)
    assert.ok(low <= expected && expected <= high, `${low} ${expected} ${high}`)
  }
  return 0
}

/** Follows the stream, and opens it again whenever it ends. */
function followStream(t: TestContext, url: string) {
  const wrong: string[] = []
  const stopping = new AbortController()
  const stopped = new Promise(resolve => stopping.signal.addEventListener('abort', resolve))

  function check({ data }: ReceivedEvent): void {
    for (const { code, spaces, observedAt } of JSON.parse(data).results)
      if (spaces !== null && observedAt !== null && spaces !== countAt(code, Date.parse(observedAt)))
        wrong.push(`the stream has ${spaces} spaces for ${code} at ${observedAt}`)
  }

  const following = (async () => {
    while (!stopping.signal.aborted) {
      const stream = await openStream(t, url + STREAM, {}, HONEST).catch(() => undefined)
      stream?.events.forEach(check)
      if (stream !== undefined) stream.onEvent = check
      await Promise.race([stream?.ended, stopped])
      stream?.close()
      await pause(PAUSE_MS)
    }
  })()
  return {
    wrong,
    async stop() {
      stopping.abort()
      await following
    },
  }
}
