import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Config } from '../../config.ts'
import { type CountRequest, countInParts, type Part } from '../../limits/allowances.ts'
import type { Coordination, LeaseStatus, Topic } from '../../store/coordination.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { type Answers, type FeedMessage, FILES_FOLDER, type FromWorker, type ToWorker } from './messages.ts'

/** The questions of the primary, and what answers them. */
export type Answering = { readonly [About in keyof Answers]: () => MaybePromise<Answers[About]> }

/** The connection of a worker to its primary process. */
export interface WorkerLink {
  /** Its part of memory and streams. The primary has the admin listener. */
  readonly config: Config
  /** The folder for the bulk files of all workers. */
  readonly filesFolder: string | undefined
  /** Whether this worker polls the feed, and tells what it sees of the machine. */
  readonly leads: () => boolean
  /** Shares the feed among the workers of a store that does not coordinate its instances. */
  readonly coordination: Coordination
  /** Counts requests together with the other workers. */
  readonly count: CountRequest
  /** Answers the questions of the primary from now on. */
  answer(answering: Answering): void
  /** Tells that the worker listens at an address. */
  ready(url: string): void
  /** Calls back once when the primary ends the worker. */
  onStop(stop: (options: { patient: boolean }) => void): void
  /** Waits until the other workers that end have come as far, for half a second at most. */
  waitForOthers(): Promise<void>
  /** Leaves the primary, after it has taken back the connections that are on their way to this worker. */
  leave(): Promise<void>
}

const WAIT_AT_MOST_MS = 500

const configOfWorker = (config: Config): Config => ({
  ...config,
  ADMIN_PORT: 0,
  RESPONSE_CACHE_MB: config.RESPONSE_CACHE_MB / config.WORKERS,
  LIVE_STREAM_CLIENTS: Math.ceil(config.LIVE_STREAM_CLIENTS / config.WORKERS),
})

/** Joins this process, which is a worker, to its primary. */
export function joinPrimary(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): WorkerLink {
  // Without a primary, nobody needs the message, and the worker ends.
  const send = (message: FromWorker) => void process.send?.(message, undefined, undefined, () => {})
  const waiting = new Map<string, (part: Part) => void>()
  const requests = countInParts(
    (client, allowed, windowMs) =>
      new Promise(resolve => {
        waiting.set(client, resolve)
        send({ kind: 'take', client, allowed, windowMs })
      }),
  )
  const feed = shareFeedMessages(send)
  let answering: Answering | undefined
  let stop: ((options: { patient: boolean }) => void) | undefined
  let goOn = () => {}

  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'lead') feed.lead()
    else if (message.kind === 'feed') feed.take(message.message)
    else if (message.kind === 'part') {
      waiting.get(message.client)?.(message.part)
      waiting.delete(message.client)
    } else if (message.kind === 'question') {
      const { question, about } = message
      if (answering !== undefined) send({ kind: 'answer', question, answer: await answering[about]() })
    } else if (message.kind === 'go on') goOn()
    else if (message.kind === 'stop') {
      send({ kind: 'give back', parts: requests.leave() })
      stop?.(message)
    }
  })
  send({ kind: 'joined' })
  // Ctrl+C, and systemd, signal every process of the service. The primary tells its workers when to end.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

  return {
    config: configOfWorker(config),
    filesFolder: environment[FILES_FOLDER],
    leads: feed.leads,
    coordination: feed.coordination,
    count: requests.count,
    answer(given) {
      answering = given
    },
    ready: url => send({ kind: 'ready', url, memoryBytes: process.memoryUsage.rss() }),
    onStop(given) {
      stop = given
    },
    waitForOthers: () =>
      new Promise(resolve => {
        goOn = resolve
        setTimeout(resolve, WAIT_AT_MOST_MS).unref()
        send({ kind: 'wait' })
      }),
    async leave() {
      const { worker } = cluster
      if (worker?.isConnected() !== true) return
      const left = once(worker, 'disconnect')
      worker.disconnect()
      await left
    },
  }
}

/** The feed among workers: the primary names the one that polls, and passes its messages on to the others. */
function shareFeedMessages(send: (message: FromWorker) => void) {
  const listeners = new Set<(about: Topic) => void>()
  let leading = false
  let latest: FeedMessage | undefined
  const status = async (): Promise<LeaseStatus> => ({
    leading: false,
    led: true,
    number: latest?.number ?? 0,
  })
  const notify = () => {
    for (const listener of listeners) listener('live')
  }
  const coordination: Coordination = {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isConnected: () => process.connected,
    leaseStatus: status,
    acquireLease: async () => ({ ...(await status()), leading }),
    async releaseLease() {},
    async publish(text) {
      latest = { text, number: (latest?.number ?? 0) + 1, publishedAt: Date.now() }
      send({ kind: 'feed', message: latest })
      return latest.number
    },
    async latestMessage() {
      if (latest === undefined) return undefined
      const { text, number, publishedAt } = latest
      return { text, number, ageMs: Date.now() - publishedAt }
    },
  }
  return {
    coordination,
    leads: () => leading,
    lead(): void {
      leading = true
      notify()
    },
    take(message: FeedMessage): void {
      latest = message
      notify()
    },
  }
}
