/** Queued items of several clients. The clients take turns, so that each gets the same share of time. */
export interface FairQueue<T> {
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
export const TURN_MS = 4
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
