import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import { type Answer, ask } from './serving.ts'

/** Judges an answer with status 200: fails if it is wrong. Gives a number that must never fall at one instance. */
export type QualityCheck = (answer: Answer, path: string) => number

/** Where clients ask. */
export interface LoadTarget {
  readonly name: string
  readonly url: string
  /** Whether one instance answers all, so that what it serves must never go back. */
  readonly isOneInstance: boolean
  /** Why it may not be reached; undefined while it must answer. */
  readonly away?: 'stopping' | 'killed' | undefined
  /** What is asked here, where that is not what is asked everywhere. */
  readonly paths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** What clients met since {@link JudgedLoad.mark}. */
export interface Met {
  readonly answers: number
  /** Answers 503 with a documented code and Retry-After. */
  readonly refusals: number
  /** From the mark to the last refusal, in seconds; 0 if there was none. */
  readonly lastRefusalS: number
  readonly slowestMs: number
  /** Connections that were lost, where these are no wrong answers. */
  readonly lost: number
}

/** Clients that ask on and on and judge every answer. They end with {@link stop}. */
export interface JudgedLoad {
  /** Begins to count anew. */
  mark(): void
  /** Gives what was met since the mark. Fails if any answer was wrong since the load began. */
  met(): Met
  /** Whether each client's last three answers were no refusals, of those since {@link forgetWells}. */
  isWell(): boolean
  forgetWells(): void
  /** Gives what was wrong, and forgets it. */
  takeWrong(): string[]
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly targets: readonly LoadTarget[]
  /** Clients of each target. */
  readonly clients: number
  /** Every client asks them in turn, each beginning with another. */
  readonly paths: readonly string[]
  readonly judge: QualityCheck
  /** Between an answer and the next question. */
  readonly pauseMs: number
  /** The clients' own address. */
  readonly localAddress?: string
  /** Whether lost connections are counted, rather than wrong answers. */
  readonly mayLoseConnections?: boolean
}

/** Codes with which 503 is documented to come. */
const REFUSALS = ['OVERLOADED', 'DATASET_UNAVAILABLE']
const WELL_AFTER = 3

/** Starts clients, each on a connection that it keeps. */
export function startJudgedLoad(options: LoadOptions): JudgedLoad {
  const { targets, clients, judge, pauseMs, localAddress, mayLoseConnections = false } = options
  const stopping = new AbortController()
  const none = { answers: 0, refusals: 0, lastRefusalS: 0, slowestMs: 0, lost: 0 }
  let wrong: string[] = []
  const wells: number[] = Array(targets.length * clients).fill(0)
  const seen = new Map<string, number>()
  let since = performance.now()
  let counts = { ...none }

  async function client(target: LoadTarget, place: number): Promise<void> {
    const agent = new Agent({ connections: 1, ...(localAddress && { localAddress }) })
    const { paths = options.paths, headers } = target
    for (let turn = place; !stopping.signal.aborted; turn++) {
      const path = paths[turn % paths.length] ?? ''
      const before = seen.get(`${target.name} ${path}`) ?? 0
      const asked = performance.now()
      try {
        const answer = await ask(agent, target.url + path, headers)
        counts.slowestMs = Math.max(counts.slowestMs, performance.now() - asked)
        counts.answers++
        if (isRefusal(answer)) refused(place)
        else {
          note(target, path, before, judged(answer, path))
          wells[place] = (wells[place] ?? 0) + 1
        }
      } catch (error) {
        if (mayLoseConnections && target.away === undefined && isLoss(error)) counts.lost++
        else if (!isExpected(error, target)) wrong.push(`${target.name} ${path}: ${words(error)}`)
        // Whoever is away is not asked without end.
        await pause(50)
      }
      await pause(pauseMs)
    }
    await agent.destroy()
  }

  function judged(answer: Answer, path: string): number {
    assert.equal(answer.status, 200, answer.text.slice(0, 300))
    return judge(answer, path)
  }

  function refused(place: number): void {
    counts.refusals++
    counts.lastRefusalS = (performance.now() - since) / 1000
    wells[place] = 0
  }

  function note({ name, isOneInstance }: LoadTarget, path: string, before: number, number: number): void {
    if (isOneInstance && number < before) wrong.push(`${name} ${path}: ${number} after ${before}`)
    const key = `${name} ${path}`
    seen.set(key, Math.max(number, seen.get(key) ?? 0))
  }

  const asking = targets.flatMap((target, which) =>
    Array.from({ length: clients }, (_, index) => client(target, which * clients + index)),
  )
  return {
    mark() {
      since = performance.now()
      counts = { ...none }
    },
    met() {
      assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} wrong answers`)
      return counts
    },
    isWell: () => wells.every(well => well >= WELL_AFTER),
    forgetWells: () => void wells.fill(0),
    takeWrong() {
      const taken = wrong
      wrong = []
      return taken
    },
    async stop() {
      stopping.abort()
      await Promise.all(asking)
    },
  }
}

function isRefusal({ status, headers, text }: Answer): boolean {
  if (status !== 503) return false
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/, '503 without Retry-After')
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
  assert.ok(REFUSALS.includes(JSON.parse(text).code), text.slice(0, 300))
  return true
}

/** What somebody meets who asks an instance that stops, and not the balancer: at the last moment the kernel may take and reset. */
const STOPPING = ['ECONNREFUSED', 'ECONNRESET']

const LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const isLoss = (error: unknown) =>
  error instanceof Error && 'code' in error && LOST.includes(String(error.code))

/** Who stops takes no new connections; who is killed loses what it has. */
function isExpected(error: unknown, { away }: LoadTarget): boolean {
  if (error instanceof assert.AssertionError || away === undefined) return false
  return (
    away === 'killed' || (error instanceof Error && 'code' in error && STOPPING.includes(String(error.code)))
  )
}

const words = (error: unknown) => (error instanceof Error ? error.message.slice(0, 500) : String(error))
