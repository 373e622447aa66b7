/** Notices when anything that is asked of a server takes long. */
export interface Waits {
  /** Gives what is promised, and counts it as waiting until then. */
  during<T>(promised: Promise<T>): Promise<T>
}

const LOOK_EVERY_MS = 50

/** Calls `onSlow` again and again while something has waited for longer than so many milliseconds. */
export function watchWaits(slowMs: number, onSlow: () => void): Waits {
  // In the order in which they began.
  const waiting = new Set<{ readonly since: number }>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const [oldest] = waiting
    if (oldest === undefined) {
      clearInterval(timer)
      timer = undefined
    } else if (performance.now() - oldest.since >= slowMs) onSlow()
  }

  return {
    async during(promised) {
      const wait = { since: performance.now() }
      waiting.add(wait)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      try {
        return await promised
      } finally {
        waiting.delete(wait)
      }
    },
  }
}
