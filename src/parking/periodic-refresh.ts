/** A task that is repeated, one run at a time. */
export interface PeriodicRefresh {
  /** Runs it now and from then on periodically; resolves after the first run. */
  start(): Promise<void>
  /** Runs it once more, after the run under way. */
  once(): Promise<void>
  /** Aborts the run under way, waits for its end, and starts no more. */
  stop(): Promise<void>
}

/** Creates a periodic refresh. The task must not reject. */
export function createPeriodicRefresh(
  task: (signal: AbortSignal) => Promise<void>,
  intervalMs: number,
): PeriodicRefresh {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function once(): Promise<void> {
    last = last.then(() => (signal.aborted ? undefined : task(signal)))
    return last
  }

  async function start(): Promise<void> {
    await once()
    if (signal.aborted) return
    timer = setTimeout(start, intervalMs)
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
