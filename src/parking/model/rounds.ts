/** A piece of work that is done again and again. */
export interface Rounds {
  /** Does it now and from then on every so often; resolves after the first time. */
  start(): Promise<void>
  /** Does it once more, after the one under way. */
  once(): Promise<void>
  /** Tells the one under way to end, waits for that, and lets none follow. */
  stop(): Promise<void>
}

/** Never runs two rounds at once. The work must not reject. */
export function createRounds(work: (signal: AbortSignal) => Promise<void>, everyMs: number): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function once(): Promise<void> {
    last = last.then(() => (signal.aborted ? undefined : work(signal)))
    return last
  }

  async function start(): Promise<void> {
    await once()
    if (signal.aborted) return
    timer = setTimeout(start, everyMs)
    timer.unref()
  }

  return {
    start,
    once,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await last
    },
  }
}
