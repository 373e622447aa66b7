/** Notices slow queries. */
export interface SlowQueryWatchdog {
  /** Resolves as the promise does, and watches it until then. */
  watch<T>(promised: Promise<T>): Promise<T>
}

const LOOK_EVERY_MS = 50

/** Calls `onSlow` repeatedly while a watched promise is pending for longer than `slowMs`. */
export function watchSlowQueries(slowMs: number, onSlow: () => void): SlowQueryWatchdog {
  // In the order in which they began.
  const pending = new Set<{ readonly since: number }>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const [oldest] = pending
    if (oldest === undefined) {
      clearInterval(timer)
      timer = undefined
    } else if (performance.now() - oldest.since >= slowMs) onSlow()
  }

  return {
    async watch(promised) {
      const query = { since: performance.now() }
      pending.add(query)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      try {
        return await promised
      } finally {
        pending.delete(query)
      }
    },
  }
}
