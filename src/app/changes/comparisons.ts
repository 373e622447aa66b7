import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { ContentStream } from '../../http/representation.ts'
import type { ChangesFormat } from '../../interfaces/changes/changes-document.ts'
import { runInThread } from '../../publishing/threads.ts'
import type { Sides } from '../../releases/diff/diff.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'

/** Two releases of a dataset, and the format for their differences. */
export interface ComparedReleases extends Sides {
  readonly dataset: string
  readonly format: ChangesFormat
}

/** The task of the worker thread. */
export interface ComparisonTask extends ComparedReleases {
  readonly databaseUrl: string
  /** The descriptor of the file to write. All threads share descriptors. */
  readonly fd: number
}

/** Large comparisons. Each is made once, in a separate thread, and everyone who asked for it reads it from one file. */
export interface Comparisons {
  /**
   * Opens the differences, once they are written. Throws the problem OVERLOADED while another comparison runs: each needs a
   * processor for seconds.
   */
  open(comparison: ComparedReleases): Promise<ContentStream>
  /** Ends the running comparison, and frees the kept files. */
  close(): void
}

/** Differences that are written, or being written. */
interface ChangesFile {
  readonly file: TemporaryFile
  readonly bytes: MaybePromise<number>
}

/** The most bytes of files kept for later requests: a folder of temporary files may be in memory. */
const KEPT_BYTES = 64 * 2 ** 20

/** Retry-After in seconds: about what a comparison of 100,000 records takes. */
const RETRY_AFTER_S = 5

/** Creates the comparisons, with none running or kept. */
export function createComparisons({ DATABASE_URL: databaseUrl }: Pick<Config, 'DATABASE_URL'>): Comparisons {
  const closing = new AbortController()
  const kept = new LRUCache<string, ChangesFile & { readonly bytes: number }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: ({ file }) => file.leave(),
  })
  let running: (ChangesFile & { readonly key: string }) | undefined

  async function write(comparison: ComparedReleases, fd: number): Promise<number> {
    const task: ComparisonTask = { ...comparison, databaseUrl, fd }
    const module = new URL('./compare-worker', import.meta.url)
    return runInThread<number>(module, task, closing.signal).catch(error => {
      throw closing.signal.aborted ? busy('The service is stopping.') : error
    })
  }

  function start(key: string, comparison: ComparedReleases): ChangesFile {
    if (running !== undefined) throw busy('Another comparison of releases is being made.')
    const file = openTemporaryFile()
    const written = write(comparison, file.fd)
    /** Keeps a file that is written and small enough. */
    const end = (bytes = Number.POSITIVE_INFINITY) => {
      running = undefined
      if (bytes > KEPT_BYTES || closing.signal.aborted) file.leave()
      else kept.set(key, { file, bytes })
    }
    written.then(end, () => end())
    running = { key, file, bytes: written }
    return running
  }

  return {
    async open(comparison) {
      const { dataset, from, to, format } = comparison
      const key = [dataset, format, from.number, from.hash, to.number, to.hash].join()
      const { file, bytes } = kept.get(key) ?? (running?.key === key ? running : start(key, comparison))
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
      kept.clear()
    },
  }
}

const busy = (detail: string) => new Problem('OVERLOADED', detail, { retryAfterS: RETRY_AFTER_S })
