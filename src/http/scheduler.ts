import { Problem } from '../errors.ts'
import type { MaybePromise } from '../values/promises.ts'

/**
 * Shares the event loop among clients: when requests start, when large bodies go on, and which work is done now, later or not
 * at all. Requests, bodies and work each have a fair queue and a slice of every turn, so that no kind holds up another.
 */
export interface Scheduler {
  /** Records a new connection. Others may wait behind it, and the event loop accepts them before it does anything queued. */
  noteConnection(): void
  /** Whether a request may start immediately: no request waits, and this turn of the event loop has time left. */
  hasTime(): boolean
  /** Starts a client's request at the end of this turn, or in a later one if others wait. */
  startLater(client: string, begin: () => void): void
  /**
   * Does a part of a client's large body in a later turn. Every other client gets a turn before the client's next part, however
   * many parts are queued. Once `isOver` returns true, because the client has gone, its parts take no time from others.
   */
  inLaterTurn(client: string, part: Part, isOver?: () => boolean): void
  /** Runs the client's work now or queues it. Throws the problem OVERLOADED if the work would wait too long. */
  run<T>(client: string, work: () => MaybePromise<T>): MaybePromise<T>
  /**
   * Counts time that admitted work takes later, such as for the chunks of a stream. The client's queued work then waits longer
   * for its next turn.
   */
  charge(client: string, ms: number): void
}

/** A part of a large body. Returns whether it goes on in this turn after it returns, so that its time cannot be measured. */
type Part = () => boolean

export interface SchedulerOptions {
  /**
   * The number of tasks that may run at the same time, if they wait for something else, such as a database server. With 1, a
   * task is assumed to block the event loop from start to end. With more, one client never occupies all of them.
   */
  readonly maxConcurrency?: number
  /** Milliseconds of work before the event loop turns to cheap requests; up to four times as long in overload. */
  readonly timeSliceMs?: number
  /** The longest expected wait of work that is queued rather than rejected, in milliseconds. */
  readonly maxWaitMs?: number
  /** Queued work is rejected after this wait, in milliseconds. */
  readonly queueTimeoutMs?: number
  /** Called at the first rejection, and when the queue is empty again, with the number of rejected tasks. */
  readonly onOverload?: (overloaded: boolean, refused: number) => void
  readonly now?: () => number
}

/** Milliseconds of a turn for new requests, and the same again for waiting requests. */
const START_SLICE_MS = 4

/**
 * Waiting requests get at least half as much time as the work of the last turn took, so that rejections are quick. So many
 * start in any case: another process on the same core may take the whole slice.
 */
const WORK_TO_STARTS = 2
const MIN_STARTS = 16

/** Milliseconds of a turn for parts of large bodies. */
const PARTS_SLICE_MS = 2

/** The event loop accepts one connection a turn. While clients connect, everything queued waits at most this long. */
const MAX_WAIT_MS = 10

/**
 * Reading and rejecting requests may take more time than the work itself. The time slice of work then grows to this multiple of
 * the time that everything else took since the last slice, at most to MAX_SLICES slices. So new requests wait, not admitted
 * ones.
 */
const WORK_TO_OVERHEAD = 4
const MAX_SLICES = 4

/** Retry-After, in seconds. */
const RETRY_AFTER_S = 1

/** Made once: overload may bring thousands of rejections a second, and their cost delays admitted requests. */
const OVERLOADED = new Problem('OVERLOADED', 'The service has too many requests at the moment.', {
  retryAfterS: RETRY_AFTER_S,
})

/** Queued work. */
interface Waiting {
  readonly since: number
  readonly begin: () => void
  readonly refuse: () => void
}

/**
 * Creates a scheduler with empty queues.
 *
 * Work that never waits blocks the event loop, so requests pile up in sockets, where they cannot be rejected. Work beyond the
 * time slice of a turn is therefore queued, and the event loop reads requests in between. Requests start in slices too.
 * Hundreds of them would make one turn long, and the event loop accepts a single connection a turn.
 *
 * Clients take turns, and a request is rejected for the wait that its own client causes: no client's load turns away the
 * requests of another.
 */
export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const {
    maxConcurrency = 1,
    timeSliceMs = 4,
    maxWaitMs = 300,
    queueTimeoutMs = 600,
    onOverload = () => {},
    now = () => performance.now(),
  } = options
  const starts = createFairQueue<() => void>()
  const parts = createFairQueue<{ part: Part; isOver: () => boolean }>()
  const queue = createFairQueue<Waiting>({ maxRunning: Math.max(1, maxConcurrency - 1) })
  const serviceTime = followServiceTime(now)
  let hasNewConnections = false
  /** When the end of this turn was first put off for new connections. */
  let waitingSince: number | undefined
  /** New requests start immediately until this time. */
  let startsUntil = 0
  let spentMs = 0
  /** The time slice of work in this turn. */
  let sliceMs = timeSliceMs
  /** When queued work last stopped for lack of time or room, if any was left. */
  let servedAt: number | undefined
  let isWatchingTurn = false
  let running = 0
  let isServing = false
  let isOverloaded = false
  let refused = 0
  let queueTimer: NodeJS.Timeout | undefined

  const hasRoom = () => running < maxConcurrency && spentMs < sliceMs

  /** Runs a client's work and records its service time. */
  function timed<T>(client: string, work: () => MaybePromise<T>): MaybePromise<T> {
    const start = now()
    const sinceStart = () => now() - start
    /** `heldMs` is how long the work blocked the event loop, `keptMs` how long it delayed queued work. */
    const record = (heldMs: number, keptMs: number) => {
      running--
      queue.recordEnd(client, keptMs)
      spentMs += heldMs
      serviceTime.recordEnd(keptMs, queue.size > 0)
      if (queue.size > 0) watchTurn()
      serve()
    }
    running++
    let done: MaybePromise<T>
    try {
      done = work()
    } catch (error) {
      record(sinceStart(), sinceStart())
      throw error
    }
    const begunMs = sinceStart()
    if (done instanceof Promise) {
      const recordLater = () => {
        const tookMs = sinceStart()
        record(maxConcurrency === 1 ? tookMs : begunMs, Math.max(begunMs, tookMs / maxConcurrency))
      }
      done.then(recordLater, recordLater)
    } else record(begunMs, begunMs)
    return done
  }

  function notify(overload: boolean): void {
    isOverloaded = overload
    onOverload(overload, refused)
    refused = 0
  }

  function refusal(): Problem {
    if (!isOverloaded) notify(true)
    refused++
    return OVERLOADED
  }

  /** Notices the end of this turn of the event loop; consecutive turns with new connections count as one. */
  function watchTurn(): void {
    if (isWatchingTurn) return
    isWatchingTurn = true
    setImmediate(endTurn)
  }

  function endTurn(): void {
    const at = now()
    waitingSince ??= at
    if (hasNewConnections && at - waitingSince < MAX_WAIT_MS) {
      hasNewConnections = false
      setImmediate(endTurn)
      return
    }
    waitingSince = undefined
    isWatchingTurn = false
    startRequests()
    doParts()
    spentMs = 0
    const overheadMs = servedAt === undefined ? 0 : now() - servedAt
    sliceMs = Math.min(Math.max(timeSliceMs, WORK_TO_OVERHEAD * overheadMs), MAX_SLICES * timeSliceMs)
    serve()
    if (starts.size + parts.size > 0) watchTurn()
  }

  function startRequests(): void {
    let time = now()
    const end = time + Math.max(START_SLICE_MS, spentMs / WORK_TO_STARTS)
    for (let started = 0; started < MIN_STARTS || time < end; started++) {
      const next = starts.shift()
      if (next === undefined) break
      next.item()
      const ended = now()
      starts.recordEnd(next.client, ended - time)
      time = ended
    }
    startsUntil = time + START_SLICE_MS
  }

  function doParts(): void {
    const end = now() + PARTS_SLICE_MS
    for (let next = parts.shift(); next !== undefined; next = parts.shift()) {
      const { part, isOver } = next.item
      const wasOver = isOver()
      const isLong = part()
      parts.recordEnd(next.client, wasOver ? 0 : TURN_MS)
      if (!wasOver && (isLong || now() > end)) return
    }
  }

  /** Starts queued work until the time slice is spent or the maximum concurrency is reached. */
  function serve(): void {
    if (isServing) return
    isServing = true
    while (hasRoom()) {
      const next = queue.shift()
      if (next === undefined) break
      next.item.begin()
    }
    isServing = false
    servedAt = queue.size > 0 ? now() : undefined
    if (isOverloaded && queue.size === 0 && running < maxConcurrency) notify(false)
  }

  /** Rejects work that has been queued too long: running work may hang, and then nothing is dequeued. */
  function watchQueue(): void {
    if (queueTimer !== undefined || queue.size === 0) return
    queueTimer = setTimeout(() => {
      queueTimer = undefined
      const isOverdue = ({ since }: Waiting) => now() - since >= queueTimeoutMs
      for (const waiting of queue.removeOverdue(isOverdue)) waiting.refuse()
      watchQueue()
    }, queueTimeoutMs / 4)
  }

  return {
    noteConnection() {
      hasNewConnections = true
    },
    hasTime() {
      if (starts.size > 0) return false
      const time = now()
      if (time < startsUntil) return true
      if (isWatchingTurn) return false
      // Turns are not always watched, since that costs each an extra pass of the event loop. The first slice may have begun
      // turns ago.
      startsUntil = time + START_SLICE_MS
      watchTurn()
      return true
    },
    startLater(client, begin) {
      starts.push(client, begin)
      watchTurn()
    },
    inLaterTurn(client, part, isOver = () => false) {
      parts.push(client, { part, isOver })
      watchTurn()
    },
    run(client, work) {
      watchTurn()
      // While requests wait to be started, work waits for the end of the turn.
      if (starts.size + queue.size === 0 && hasRoom() && queue.start(client)) return timed(client, work)
      if (queue.countAhead(client) * serviceTime.meanMs > maxWaitMs) throw refusal()
      return new Promise((resolve, reject) => {
        const begin = async () => {
          try {
            resolve(await timed(client, work))
          } catch (error) {
            reject(error)
          }
        }
        queue.push(client, { since: now(), begin, refuse: () => reject(refusal()) })
        watchQueue()
      })
    },
    charge: (client, ms) => queue.charge(client, ms / maxConcurrency),
  }
}

/** While tasks are queued, throughput is measured over this window, including everything else that the event loop does. */
const WINDOW_MS = 50

/** The weight of the newest task in the average. */
const NEWEST_WEIGHT = 0.1

/**
 * Measures how long each task delays those queued behind it, as a moving average: by each task's duration while the queue is
 * empty, otherwise by throughput.
 */
function followServiceTime(now: () => number) {
  let meanMs = 0
  let since: number | undefined
  let ended = 0

  /** Bounds each sample: one pause of the whole process must not look like expensive work. */
  const addSample = (ms: number) => {
    meanMs += (Math.min(ms, 4 * meanMs + 1) - meanMs) * NEWEST_WEIGHT
  }

  return {
    get meanMs() {
      return meanMs
    },
    /** Records the end of a task, its own duration, and whether other tasks are queued. */
    recordEnd(tookMs: number, hasQueue: boolean): void {
      const end = now()
      if (since === undefined) addSample(tookMs)
      else {
        ended++
        const passedMs = end - since
        if (passedMs >= WINDOW_MS) {
          const tasks = ended
          for (let task = 0; task < tasks; task++) addSample(passedMs / tasks)
          since = undefined
        }
      }
      if (!hasQueue) since = undefined
      else if (since === undefined) {
        since = end
        ended = 0
      }
    },
  }
}

/** Queued items of several clients. The clients take turns, so that each gets the same share of time. */
interface FairQueue<T> {
  /** The number of queued items. */
  readonly size: number
  /** Starts an item of the client without queueing it. Returns false if the client already runs its maximum. */
  start(client: string): boolean
  /** How many items would run before a new one of the client, if all took the same time. */
  countAhead(client: string): number
  push(client: string, item: T): void
  /** Removes and returns the next item whose client may start one. The item counts as running from then on. */
  shift(): { readonly client: string; readonly item: T } | undefined
  /** Records that an item of the client ended, and how long it delayed the others. */
  recordEnd(client: string, ms: number): void
  /** Records any other delay that a client caused to the others. Ignored unless the client has queued or running items. */
  charge(client: string, ms: number): void
  /**
   * Removes and returns the overdue items. Each client's items are checked in order of arrival, up to the first that is not
   * overdue.
   */
  removeOverdue(isOverdue: (item: T) => boolean): readonly T[]
}

/** A client is known only while it has queued or running items. */
interface Client<T> {
  readonly name: string
  readonly waiting: T[]
  running: number
  /** The time that the client may still take before the next client's turn. */
  creditMs: number
}

/** The time of a turn, and the most that a client can owe: one long item must not shut its client out for long. */
const TURN_MS = 4
const MAX_DEBT_MS = 10 * TURN_MS

/**
 * Creates an empty queue: deficit round robin (Shreedhar and Varghese, 1995), where the cost of an item is known only after it
 * ended. `maxRunning` is the number of items that one client may run at the same time.
 */
export function createFairQueue<T>({ maxRunning = Number.POSITIVE_INFINITY } = {}): FairQueue<T> {
  const clients = new Map<string, Client<T>>()
  /** The clients with queued items, in the order of their turns. */
  const turns = new Set<Client<T>>()
  let size = 0

  function known(name: string): Client<T> {
    const client = clients.get(name)
    if (client !== undefined) return client
    const added = { name, waiting: [], running: 0, creditMs: TURN_MS }
    clients.set(name, added)
    return added
  }

  function forgetIdle(client: Client<T>): void {
    if (client.waiting.length === 0) turns.delete(client)
    if (client.waiting.length === 0 && client.running === 0) clients.delete(client.name)
  }

  function endTurn(client: Client<T>): void {
    turns.delete(client)
    turns.add(client)
  }

  /** The client whose turn it is; undefined if every client runs its maximum. */
  function nextClient(): Client<T> | undefined {
    for (let passed = 0; passed < turns.size; ) {
      const [client] = turns as Iterable<Client<T>>
      if (client === undefined) return undefined
      if (client.running >= maxRunning) passed++
      else if (client.creditMs > 0 || turns.size === 1) return client
      else {
        client.creditMs += TURN_MS
        passed = 0
      }
      endTurn(client)
    }
    return undefined
  }

  function charge(client: Client<T>, ms: number): void {
    client.creditMs = Math.max(client.creditMs - ms, -MAX_DEBT_MS)
    if (client.creditMs <= 0 && turns.has(client)) endTurn(client)
  }

  return {
    get size() {
      return size
    },
    start(name) {
      const client = known(name)
      if (client.running >= maxRunning) return false
      client.running++
      return true
    },
    countAhead(name) {
      const client = clients.get(name)
      const own = client?.waiting.length ?? 0
      const others = turns.size - (own > 0 ? 1 : 0)
      return Math.min(size, own + (own + 1) * others)
    },
    push(name, item) {
      const client = known(name)
      client.waiting.push(item)
      turns.add(client)
      size++
    },
    shift() {
      const client = nextClient()
      const item = client?.waiting.shift()
      if (client === undefined || item === undefined) return undefined
      size--
      client.running++
      if (client.waiting.length === 0) turns.delete(client)
      return { client: client.name, item }
    },
    recordEnd(name, ms) {
      const client = clients.get(name)
      if (client === undefined) return
      client.running--
      charge(client, ms)
      forgetIdle(client)
    },
    charge(name, ms) {
      const client = clients.get(name)
      if (client !== undefined) charge(client, ms)
    },
    removeOverdue(isOverdue) {
      const removed: T[] = []
      for (const client of [...turns]) {
        const young = client.waiting.findIndex(item => !isOverdue(item))
        removed.push(...client.waiting.splice(0, young < 0 ? client.waiting.length : young))
        forgetIdle(client)
      }
      size -= removed.length
      return removed
    },
  }
}
