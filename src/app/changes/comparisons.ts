import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { ContentStream } from '../../http/response/representation.ts'
import type { ChangesFormat } from '../../interfaces/changes/changes-document.ts'
import { runInThread } from '../../publishing/threads.ts'
import type { Sides } from '../../releases/diff/diff.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'

/** Two releases of a dataset, and the format in which their differences are written. */
export interface ComparedReleases extends Sides {
  readonly dataset: string
  readonly format: ChangesFormat
}

/** What the worker thread does. */
export interface ComparisonTask extends ComparedReleases {
  readonly databaseUrl: string
  /** The descriptor of the file to write, which is one for all threads. */
  readonly fd: number
}

/** Large comparisons: each is made once, in a thread of its own, and read from a file by all who asked for it. */
export interface Comparisons {
  /**
   * Opens the differences, once they are written. Throws the problem OVERLOADED while another comparison is made: each needs a
   * processor for seconds.
   */
  open(comparison: ComparedReleases): Promise<ContentStream>
  /** Ends the comparison that is made, and frees what is kept. */
  close(): void
}

interface ChangesFile {
  readonly key: string
  readonly file: TemporaryFile
  readonly bytes: Promise<number>
}

/** Files are kept for others up to this size together: a folder of temporary files may be in memory. */
const KEPT_BYTES = 64 * 2 ** 20

/** Retry-After in seconds: about what a comparison of 100,000 records takes. */
const RETRY_AFTER_S = 5

/** Starts without a comparison. */
export function createComparisons({ DATABASE_URL: databaseUrl }: Pick<Config, 'DATABASE_URL'>): Comparisons {
  /** Comparisons that are being written or are kept for other requests. */
  const files = new Map<string, ChangesFile>()
  const closing = new AbortController()
  let kept: { readonly changes: ChangesFile; readonly bytes: number }[] = []
  let isRunning = false

  async function write(comparison: ComparedReleases, fd: number): Promise<number> {
    const task: ComparisonTask = { ...comparison, databaseUrl, fd }
    const module = new URL('./compare-worker', import.meta.url)
    return runInThread<number>(module, task, closing.signal).catch(error => {
      throw closing.signal.aborted ? busy('The service is stopping.') : error
    })
  }

  function start(key: string, comparison: ComparedReleases): ChangesFile {
    if (isRunning) throw busy('Another comparison of releases is being made.')
    const file = openTemporaryFile()
    isRunning = true
    const changes: ChangesFile = { key, file, bytes: write(comparison, file.fd) }
    files.set(key, changes)
    const end = () => {
      isRunning = false
    }
    changes.bytes.finally(end).then(
      bytes => keep(changes, bytes),
      () => drop(changes),
    )
    return changes
  }

  /** Keeps the newest files that are small enough together. */
  function keep(changes: ChangesFile, bytes: number): void {
    let total = 0
    const all = [{ changes, bytes }, ...kept]
    kept = all.filter(each => {
      total += each.bytes
      return total <= KEPT_BYTES && !closing.signal.aborted
    })
    for (const each of all) if (!kept.includes(each)) drop(each.changes)
  }

  function drop({ key, file }: ChangesFile): void {
    files.delete(key)
    file.leave()
  }

  return {
    async open(comparison) {
      const { dataset, from, to, format } = comparison
      const key = [dataset, format, from.number, from.hash, to.number, to.hash].join()
      const { file, bytes } = files.get(key) ?? start(key, comparison)
      file.share()
      try {
        return { chunks: file.read(await bytes), close: file.leave }
      } catch (error) {
        file.leave()
        throw error
      }
    },
    close() {
      closing.abort()
      for (const { changes } of kept) drop(changes)
      kept = []
    },
  }
}

const busy = (detail: string) =>
  new Problem('OVERLOADED', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
