import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from '../../config.ts'
import { createAllowances } from '../../limits/allowances.ts'
import { within } from '../../values/promises.ts'
import { backoffMs, shortened } from '../../values/retry.ts'
import { messageOf } from '../../values/system/error-code.ts'
import { memoryBytes } from '../../values/system/machine.ts'
import { makeTemporaryFolder, removeFolder, removePartsOf } from '../../values/system/temporary-folder.ts'
import { buildAdmin } from '../admin.ts'
import { readinessOfAll } from '../readiness.ts'
import { GRACE_MS } from '../shutdown.ts'
import { type Answers, type FeedMessage, FILES_FOLDER, type FromWorker, type ToWorker } from './messages.ts'

export interface WorkersOptions {
  readonly config: Config
  readonly log: Logger
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Reads the files of the configuration, to find mistakes before workers are replaced. */
  readonly readFiles: () => void
}

/** The share of the memory that workers may take together, as large as the first one is after its start. */
const MEMORY_SHARE = 0.9

/** Makes the C library ask for large pages. Reading a release into memory then takes half the time. Other libraries ignore it. */
const LARGE_PAGES = 'glibc.malloc.hugetlb=1'

const BACKOFF = { firstMs: 100, longestMs: 30_000 }
/** A worker that ran for this long ended for another reason than its start. */
const STABLE_MS = 10_000
const ANSWER_WITHIN_MS = 2000

/**
 * Runs the service in several workers that share its port. Resolves when the first worker listens, or to the exit status of this
 * worker if it could not start. A worker that ends is replaced. SIGHUP replaces all of them, one after another. SIGTERM and SIGINT
 * end them without losing a request.
 */
export async function runWorkers({
  config,
  environment,
  log,
  readFiles,
}: WorkersOptions): Promise<1 | 2 | undefined> {
  const allowances = createAllowances(config.WORKERS)
  /** The workers that listen, in the order of their starts. */
  const listening = new Set<Worker>()
  const ending = new WeakSet<Worker>()
  const waiting = new Set<Worker>()
  const folder = makeTemporaryFolder()
  const answers = new Map<number, (answer: never) => void>()
  let questions = 0
  let latest: FeedMessage | undefined
  let leader: Worker | undefined
  let url = ''
  let memoryOfFirst = 0
  let isStopping = false

  function receive(worker: Worker, message: FromWorker): void {
    if (message.kind === 'joined') {
      if (latest !== undefined) send(worker, { kind: 'feed', message: latest })
      if (leader === undefined) appoint(worker)
    } else if (message.kind === 'take') {
      const { client, allowed, windowMs } = message
      send(worker, { kind: 'part', client, part: allowances.take(client, allowed, windowMs) })
    } else if (message.kind === 'give back') {
      for (const [client, part] of message.parts) allowances.giveBack(client, part)
    } else if (message.kind === 'feed') {
      latest = message.message
      for (const other of all()) if (other !== worker) send(other, message)
    } else if (message.kind === 'wait') {
      waiting.add(worker)
      letGoOn()
    } else if (message.kind === 'answer') answers.get(message.question)?.(message.answer as never)
  }

  /** Lets the workers that end go on once all of them wait. */
  function letGoOn(): void {
    if (all().some(worker => ending.has(worker) && !waiting.has(worker))) return
    for (const worker of waiting) send(worker, { kind: 'go on' })
    waiting.clear()
  }

  /** Starts a worker. Resolves when it listens; rejects if it ends before. */
  async function start(): Promise<Worker> {
    const worker = cluster.fork({
      WORKERS: String(config.WORKERS),
      // The variable above has its number.
      WORKERS_FILE: '',
      [FILES_FOLDER]: folder,
      GLIBC_TUNABLES: environment.GLIBC_TUNABLES ?? LARGE_PAGES,
    })
    // A connection could not be handed to a worker that ends: its end follows.
    worker.on('error', () => {})
    const ended = endOf(worker).then(end => {
      listening.delete(worker)
      waiting.delete(worker)
      letGoOn()
      removePartsOf(worker.process.pid, folder)
      if (worker === leader) appoint([...listening].find(other => !ending.has(other)))
      throw end
    })
    const ready = new Promise<Worker>(resolve => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind !== 'ready') return receive(worker, message)
        url = message.url
        memoryOfFirst ||= message.memoryBytes
        listening.add(worker)
        resolve(worker)
      })
    })
    return Promise.race([ready, ended])
  }

  /** Makes a worker the one that polls the feed. Without one, the next that starts polls it. */
  function appoint(worker: Worker | undefined): void {
    leader = worker
    if (worker !== undefined) send(worker, { kind: 'lead' })
  }

  /** Keeps one worker running: after its end, another one starts, after a pause that grows while starts fail. */
  async function keepOne(running?: Worker): Promise<void> {
    let worker = running
    for (let failures = 0; !isStopping; ) {
      const since = performance.now()
      try {
        worker ??= await start()
        throw await endOf(worker)
      } catch (error) {
        if (isStopping || (worker !== undefined && ending.has(worker))) return
        failures = performance.now() - since > STABLE_MS ? 1 : failures + 1
        worker = undefined
        const delayMs = Math.round(shortened(backoffMs(failures, BACKOFF)))
        log.error(
          { event: 'worker-ended', reason: messageOf(error), delayMs },
          'a worker ended; another one takes its place',
        )
        await pause(delayMs)
      }
    }
  }

  /** Ends a worker once it has finished its requests. Kills one that has none yet, or that does not end. */
  async function end(worker: Worker, { patient }: { patient: boolean }): Promise<void> {
    if (worker.isDead()) return
    ending.add(worker)
    const ended = endOf(worker)
    const kill = () => worker.process.kill('SIGKILL')
    const tooLong = setTimeout(kill, GRACE_MS + 250)
    if (listening.has(worker)) send(worker, { kind: 'stop', patient })
    else kill()
    await ended
    clearTimeout(tooLong)
  }

  /** Replaces the workers one after another. Stops at the first one that does not start. */
  async function replaceAll(): Promise<void> {
    try {
      readFiles()
      for (const old of [...listening]) {
        if (isStopping) return
        void keepOne(await start())
        await end(old, { patient: true })
      }
      log.info({ event: 'workers-replaced' }, 'all workers are new')
    } catch (error) {
      log.error({ event: 'workers-not-replaced', reason: messageOf(error) }, 'the workers go on as they were')
    }
  }

  /** Asks all workers that listen. Leaves out those that do not answer. */
  async function ask<About extends keyof Answers>(about: About): Promise<Map<Worker, Answers[About]>> {
    const asked = [...listening].map(async worker => {
      const question = ++questions
      const answer = new Promise<Answers[About]>(resolve => answers.set(question, resolve))
      send(worker, { kind: 'question', question, about })
      return within(ANSWER_WITHIN_MS, answer, () => new Error('the worker does not answer'))
        .then(given => [[worker, given] as const])
        .catch(() => [])
        .finally(() => answers.delete(question))
    })
    return new Map((await Promise.all(asked)).flat())
  }

  const joinMetrics = createMetricsJoin()
  const admin = buildAdmin({
    metrics: async () => joinMetrics(await ask('metrics')),
    readiness: async () => readinessOfAll([...(await ask('readiness')).values()], isStopping ? 0 : workers),
    sources: async () => [...(await ask('sources')).values()][0] ?? [],
    journals: async () => [...(await ask('journals')).values()][0] ?? [],
    token: config.ADMIN_TOKEN,
    baseUrl: () => url,
    log,
  })

  const first = await start().catch((error: unknown) => error as WorkerEnded)
  if (first instanceof WorkerEnded) {
    removeFolder(folder)
    if (first.signal !== null)
      log.fatal({ event: 'worker-ended', reason: first.message }, 'the first worker did not start')
    return first.status
  }
  const fitting = Math.max(1, Math.floor((memoryBytes() * MEMORY_SHARE) / memoryOfFirst))
  const workers = Math.min(config.WORKERS, fitting)
  if (workers < config.WORKERS)
    log.warn(
      `WORKERS is ${config.WORKERS}, and the memory is enough for ${workers} of ${Math.round(memoryOfFirst / 2 ** 20)} MB: ${workers} run`,
    )
  void keepOne(first)
  for (let more = 1; more < workers; more++) void keepOne()
  const { HOST: host, ADMIN_PORT } = config
  const adminUrl = ADMIN_PORT === 0 ? undefined : await admin.listen({ host, port: ADMIN_PORT })

  let replacing: Promise<void> = Promise.resolve()
  process.on('SIGHUP', () => {
    replacing = replacing.then(replaceAll)
  })
  closeWithGrace({ delay: GRACE_MS + 500, logger: log, skip: ['SIGHUP'] }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error')
    else log.info({ signal }, 'stopping')
    isStopping = true
    await Promise.all(all().map(worker => end(worker, { patient: signal === 'SIGTERM' })))
    await admin.close()
    removeFolder(folder)
  })
  log.info({ url, adminUrl, workers }, 'listening')
  return undefined
}

const all = () => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)

const endOf = (worker: Worker) =>
  new Promise<WorkerEnded>(resolve => {
    worker.once('exit', (code, signal) => resolve(new WorkerEnded(code, signal)))
  })

const send = (worker: Worker, message: ToWorker) => void worker.send(message, () => {})

/**
 * Creates a function that joins the metrics of the workers that answer. The counters of a worker that does not answer, or has ended,
 * stay as it told them last. Prometheus would take a smaller sum for a restart, and the rest of it for new events.
 */
function createMetricsJoin() {
  const lastTold = new Map<Worker, WorkerMetrics>()
  let ofEnded: WorkerMetrics = []
  return (answers: ReadonlyMap<Worker, WorkerMetrics>): Promise<string> => {
    const silent: WorkerMetrics[] = []
    for (const [worker, told] of lastTold) {
      if (answers.has(worker)) continue
      const counters = told.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
      if (worker.isDead()) {
        lastTold.delete(worker)
        ofEnded = join([ofEnded, counters]).getMetricsAsArray() as unknown as WorkerMetrics
      } else silent.push(counters)
    }
    for (const [worker, told] of answers) lastTold.set(worker, told)
    return join([...answers.values(), ...silent, ofEnded]).metrics()
  }
}

type WorkerMetrics = Answers['metrics']
const join = (each: readonly WorkerMetrics[]) => AggregatorRegistry.aggregate(each as object[])

/** A worker has ended. */
class WorkerEnded extends Error {
  override name = 'WorkerEnded'
  readonly status: 1 | 2
  readonly signal: string | null
  constructor(status: number | null, signal: string | null) {
    super(signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`)
    this.status = status === 2 ? 2 : 1
    this.signal = signal
  }
}
