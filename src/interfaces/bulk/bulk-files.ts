import { createHash } from 'node:crypto'
import type { ServedDataset } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { FORMATS, formatsFor } from '../../formats/formats.ts'
import { inTurns } from '../../http/large-body.ts'
import type { FileBody } from '../../http/representation.ts'
import type { Scheduler } from '../../http/scheduler.ts'
import type { Release } from '../../store/store.ts'
import { openTemporaryFile } from '../../values/system/temporary-file.ts'
import { MINUTE_MS } from '../../values/time-units.ts'

/** A file in one format. */
export interface BulkFile extends FileBody {
  /** ISO 8601 UTC. */
  readonly madeAt: string
}

/** Several files in one temporary file, which disappears with the process and takes one descriptor. */
interface TemporaryFiles {
  add(chunks: AsyncIterable<Uint8Array>): Promise<BulkFile>
  /** Removes the files once nobody reads them. */
  remove(): void
}

/** Creates the temporary file. */
function createTemporaryFiles(): TemporaryFiles {
  const file = openTemporaryFile()
  let length = 0
  return {
    remove: file.leave,
    async add(chunks) {
      const from = length
      let end = from
      const hash = createHash('sha256')
      file.share()
      try {
        for await (const chunk of chunks) {
          hash.update(chunk)
          file.write(chunk, end)
          end += chunk.length
        }
        // Set only on success: after a failure, the next file takes the same place.
        length = end
      } finally {
        file.leave()
      }
      return {
        bytes: end - from,
        sha256: hash.digest('hex'),
        madeAt: new Date().toISOString(),
        read(range) {
          file.share()
          return { chunks: file.read(from + range.end, from + range.start), close: file.leave }
        },
      }
    },
  }
}

/** The files of a release, by format, as far as they are made. */
interface ReleaseFiles {
  readonly release: Release
  readonly made: ReadonlyMap<RecordFormat, BulkFile>
}

/** The files of the current and earlier releases. */
export interface BulkFiles {
  /** Makes the files of a dataset's current release, some time later. */
  schedule(context: ServedDataset): void
  /** The files of a dataset's releases, the latest current release first. */
  kept(dataset: string): readonly ReleaseFiles[]
  stop(): void
}

export interface BulkFilesOptions {
  /** Called if files cannot be made; a retry follows. */
  readonly onFailure: (dataset: string, error: unknown) => void
  /** Shares the time with requests. */
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  readonly delayMs?: number
  readonly retryMs?: number
}

/** Leaves the processor to the first requests to a new release. */
const DELAY_MS = 1000
const RETRY_MS = MINUTE_MS
/** A download that began before a switch can be resumed after it. */
const KEPT_RELEASES = 2

interface Made extends ReleaseFiles {
  readonly made: Map<RecordFormat, BulkFile>
  readonly files: TemporaryFiles
}

/** The formats of a dataset's files: all that can write its whole records. */
export const bulkFormats = ({ dataset }: ServedDataset): readonly RecordFormat[] =>
  formatsFor(FORMATS, dataset.record)

/** Makes files in the background, one at a time. The parts of a file take turns with the large bodies of clients. */
export function createBulkFiles(options: BulkFilesOptions): BulkFiles {
  const { scheduler, onFailure, delayMs = DELAY_MS, retryMs = RETRY_MS } = options
  const kept = new Map<string, readonly Made[]>()
  const timers = new Map<string, NodeJS.Timeout>()
  let isStopped = false
  let last: Promise<void> = Promise.resolve()

  function schedule(context: ServedDataset, afterMs = delayMs): void {
    const { name } = context.dataset
    clearTimeout(timers.get(name))
    const start = () => {
      last = last.then(() => make(context)).catch(error => fail(context, error))
    }
    const timer = setTimeout(start, afterMs)
    timer.unref()
    timers.set(name, timer)
  }

  function fail(context: ServedDataset, error: unknown): void {
    // Without a release there is nothing to make; the next one is scheduled when it is served.
    if (isStopped || error instanceof Problem) return
    onFailure(context.dataset.name, error)
    schedule(context, retryMs)
  }

  /** Makes the missing files from one snapshot, so that all files are of one release. */
  async function make(context: ServedDataset): Promise<void> {
    if (isStopped) return
    await context.readSnapshot(async ({ release, collection }) => {
      const { made, files } = keep(release)
      for (const format of bulkFormats(context)) {
        if (made.has(format) || isStopped) continue
        const { batches } = await collection.execute({})
        const chunks = format.write(batches(), context.dataset.record)
        made.set(format, await files.add(inTurns(chunks, { scheduler, client: 'bulk files' })))
      }
    })
  }

  /** Puts a release first and returns its files. Removes the files of the oldest release. */
  function keep(release: Release): Made {
    const { dataset, number } = release
    const before = kept.get(dataset) ?? []
    const own = before.find(other => other.release.number === number)
    const first = own ?? { release, made: new Map(), files: createTemporaryFiles() }
    const all = [first, ...before.filter(other => other !== own)]
    kept.set(dataset, all.slice(0, KEPT_RELEASES))
    for (const { files } of all.slice(KEPT_RELEASES)) files.remove()
    return first
  }

  return {
    schedule: context => schedule(context),
    kept: dataset => kept.get(dataset) ?? [],
    stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      for (const { files } of [...kept.values()].flat()) files.remove()
      kept.clear()
    },
  }
}
