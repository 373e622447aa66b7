/** Milliseconds of one turn of the event loop for all parts together. */
const TIME_SLICE_MS = 2

/** While clients connect, of whom the event loop accepts one a turn, work waits at most this long. */
const MAX_WAIT_MS = 10

let waiting: (() => void)[] = []
let hasNewConnections = false
let waitingSince: number | undefined

/** Records a new connection: others may be waiting behind it, and are accepted before further work is done. */
export function noteConnection(): void {
  hasNewConnections = true
}

/** Calls back at the end of this turn of the event loop, or while clients connect up to 10 ms later. */
export function afterConnections(callback: () => void): void {
  if (waiting.push(callback) === 1) setImmediate(endTurn)
}

function endTurn(): void {
  const now = performance.now()
  waitingSince ??= now
  if (hasNewConnections && now - waitingSince < MAX_WAIT_MS) {
    hasNewConnections = false
    setImmediate(endTurn)
    return
  }
  waitingSince = undefined
  const due = waiting
  waiting = []
  for (const callback of due) callback()
}

/** A part of much work. Returns whether more of it follows in this turn, where its time cannot be measured. */
type Part = () => boolean

interface Waiting {
  readonly part: Part
  readonly isOver: () => boolean
}

/** The parts that can be done now, by client, in the order of their turns. */
const ready = new Map<string, Waiting[]>()
let isDue = false

/**
 * Does a part of a client's work in a later turn of the event loop, for 2 ms together with others. Clients take turns: a
 * part waits for one of each of them, however many they have. Parts whose client has gone are let go at once.
 */
export function inLaterTurn(client: string, part: Part, isOver = () => false): void {
  const parts = ready.get(client)
  if (parts === undefined) ready.set(client, [{ part, isOver }])
  else parts.push({ part, isOver })
  scheduleReady()
}

function scheduleReady(): void {
  if (isDue) return
  isDue = true
  afterConnections(doReady)
}

function doReady(): void {
  const begun = performance.now()
  // A client with further parts is added again, as the last of the iteration.
  for (const [client, parts] of ready) {
    ready.delete(client)
    const first = parts.findIndex(({ isOver }) => !isOver())
    for (const { part } of parts.splice(0, first < 0 ? parts.length : first)) part()
    const next = parts.shift()
    if (parts.length > 0) ready.set(client, parts)
    if (next?.part() || performance.now() - begun > TIME_SLICE_MS) break
  }
  isDue = false
  if (ready.size > 0) scheduleReady()
}
