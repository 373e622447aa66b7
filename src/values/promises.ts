/** A value or a promise of it. An available value does not wait for the next microtask. */
export type MaybePromise<T> = T | Promise<T>

/** Applies `next` to a value: synchronously, unless it is a promise. */
export function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted. */
export async function abortable<T>(promised: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promised
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promised, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const STEPS = 5

/**
 * Settles as the promise does, or rejects with the error of `late` after the timeout. The timeout is counted in steps,
 * each at least one turn of the event loop. So time when this process is too busy to send and read does not count
 * against the peer.
 */
export function within<T>(milliseconds: number, promised: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let steps = 0
    const step = () => {
      steps += 1
      // A result that this turn reads is still in time.
      if (steps === STEPS) setImmediate(() => reject(late()))
      else timer = setTimeout(step, milliseconds / STEPS)
    }
    let timer = setTimeout(step, milliseconds / STEPS)
    promised.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Creates a gate that admits `most` users at a time, in order of arrival. Each user leaves by calling the resolved
 * function.
 */
export function createGate(most: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = most
  return async () => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Repeats a task, one run at a time. The task must not reject. */
export function repeat(task: (signal: AbortSignal) => Promise<void>, everyMs: () => number) {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<void> = Promise.resolve()
  let isNextWaiting = false
  let timer: NodeJS.Timeout | undefined

  /** Runs the task once more, after the current run. Calls until then share the new run. */
  function once(): Promise<void> {
    if (isNextWaiting) return last
    isNextWaiting = true
    last = last.then(() => {
      isNextWaiting = false
      return signal.aborted ? undefined : task(signal)
    })
    return last
  }

  /** Runs the task now, then periodically; resolves after the first run. */
  async function start(): Promise<void> {
    await once()
    if (signal.aborted) return
    timer = setTimeout(start, everyMs())
    timer.unref()
  }

  return {
    start,
    once,
    /** Aborts the current run, waits for its end, and starts no further runs. */
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await last
    },
  }
}
