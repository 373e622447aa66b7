import type { OpenRelease } from '../../store/store.ts'

/** Releases that are no longer served, kept open a while for the requests that still read from them. */
export interface Retirement {
  add(release: OpenRelease): void
  /** Closes all of them at once. */
  end(): Promise<void>
}

/** Closes each release so long after it was added. */
export function createRetirement(afterMs: number): Retirement {
  const closers = new Set<() => Promise<void>>()
  return {
    add(release) {
      const close = async () => {
        clearTimeout(delay)
        closers.delete(close)
        await release.close()
      }
      const delay = setTimeout(close, afterMs)
      delay.unref()
      closers.add(close)
    },
    async end() {
      await Promise.all([...closers].map(close => close()))
    },
  }
}
