/** Repeats a task, one run at a time. It must not reject. */
export function repeat(task: (signal: AbortSignal) => Promise<void>, everyMs: () => number) {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<void> = Promise.resolve()
  let isNextWaiting = false
  let timer: NodeJS.Timeout | undefined

  /** Runs it once more, after the run under way; calls until then share that run. */
  function once(): Promise<void> {
    if (isNextWaiting) return last
    isNextWaiting = true
    last = last.then(() => {
      isNextWaiting = false
      return signal.aborted ? undefined : task(signal)
    })
    return last
  }

  /** Runs it now and from then on periodically; resolves after the first run. */
  async function start(): Promise<void> {
    await once()
    if (signal.aborted) return
    timer = setTimeout(start, everyMs())
    timer.unref()
  }

  return {
    start,
    once,
    /** Aborts the run under way, waits for its end, and starts no more. */
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await last
    },
  }
}
