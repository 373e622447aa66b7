import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServedDataset } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { FORMATS, formatsFor } from '../../formats/formats.ts'
import { inTurns } from '../../http/large-body.ts'
import { type FileBody, type FileMeasures, tagOf } from '../../http/representation.ts'
import type { Scheduler } from '../../http/scheduler.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import type { Release } from '../../store/store.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { readAt, writeAt } from '../../values/system/temporary-file.ts'
import { makeTemporaryFolder, PART, removeFolder } from '../../values/system/temporary-folder.ts'

/** The measures of a whole file, kept beside it. */
interface Made extends FileMeasures {
  readonly release?: Release | undefined
  /** The name of the format. */
  readonly format: string
  /** ISO 8601 UTC. */
  readonly madeAt: string
}

/** A file in one format, made or not. */
export interface LazyFile extends FileBody {
  readonly format: RecordFormat
  /** The release that it is of; absent for a part of the history. */
  readonly release?: Release
  /** Undefined until the file is whole. */
  made(): Made | undefined
}

/** A file of a release. */
export interface BulkFile extends LazyFile {
  readonly release: Release
}

/** The content of a file, and how to write it. */
interface Source {
  readonly dataset: string
  readonly format: RecordFormat
  readonly release?: Release
  /** Identifies the bytes of the file, with its format. */
  readonly identity: string
  /** How the names of earlier content of this file begin: the files are removed once this one is whole. */
  readonly replaces?: string
  /** Writes the file. Absent if its content is gone: then only the file that was made is there. */
  readonly write?: () => MaybePromise<AsyncIterable<Uint8Array>>
}

/** Files that are made at their first request, once for all processes that share the folder. */
export interface BulkFiles {
  /** A file of anything else than a release. `name` is that of no other file, and changes with the content. */
  file(name: string, source: Source): LazyFile
  /** The files of a dataset's current release, and the ones that were made of the release before it. */
  of(context: ServedDataset): readonly BulkFile[]
  /** Removes files of older releases, once another release is current. */
  retire(context: ServedDataset): void
  stop(): void
}

export interface BulkFilesOptions {
  /** Called if a file cannot be made; the next request tries again. */
  readonly onFailure: (dataset: string, error: unknown) => void
  /** Shares the time with requests. */
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  /** A folder that other processes share. Without it, this process makes a folder at the first request. */
  readonly folder?: string | undefined
}

/** How often readers look for more of a file that is being made. */
const LOOK_MS = 15
const RETRY_AFTER_S = 60

/** The ending of the measures of a file. They are written last: a file with measures is whole. */
const MADE = '.made'

export function createBulkFiles({ scheduler, onFailure, folder: shared }: BulkFilesOptions): BulkFiles {
  const opened = new Map<string, { readonly fd: number; users: number }>()
  /** The current release by dataset. */
  const current = new Map<string, Release>()
  let folder = shared

  const inFolder = (name: string) => join(folder ?? '', name)
  const list = () => (folder !== undefined && existsSync(folder) ? readdirSync(folder) : [])
  const madeOf = (name: string): Made | undefined => {
    const path = inFolder(name + MADE)
    return folder !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  }

  /** The names and measures of a dataset's whole files. */
  const wholeOf = (dataset: string) =>
    list().flatMap(each => {
      const name = each.slice(0, -MADE.length)
      const made = each.startsWith(dataset) && each.endsWith(MADE) ? madeOf(name) : undefined
      const release = made?.release
      return made !== undefined && release?.dataset === dataset ? [{ name, made, release }] : []
    })

  /** The part that a process writes of a file. */
  const partOf = (name: string) => list().find(each => PART.test(each) && each.replace(PART, '') === name)

  /** Begins to make a file, and returns the name of its part. */
  function make(name: string, source: Source, open: Required<Source>['write']): string {
    const { dataset, format, release, replaces } = source
    const part = `${name}.${process.pid}.part`
    let fd: number
    try {
      folder ??= makeTemporaryFolder()
      mkdirSync(folder, { recursive: true })
      fd = openSync(inFolder(part), 'w')
    } catch (error) {
      onFailure(dataset, error)
      throw cannotBeMade(name)
    }
    const write = async () => {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of inTurns(await open(), { scheduler, client: 'bulk files' })) {
        hash.update(chunk)
        writeAt(fd, chunk, bytes)
        bytes += chunk.length
      }
      const madeAt = new Date().toISOString()
      const made: Made = { release, format: format.name, bytes, sha256: hash.digest('hex'), madeAt }
      renameSync(inFolder(part), inFolder(name))
      writeFileSync(inFolder(`${part}${MADE}`), JSON.stringify(made))
      renameSync(inFolder(`${part}${MADE}`), inFolder(name + MADE))
      const isOlder = (each: string) =>
        replaces !== undefined && each.startsWith(replaces) && each.endsWith(format.name) && each !== name
      for (const old of list().filter(isOlder))
        for (const path of [old + MADE, old]) rmSync(inFolder(path), { force: true })
    }
    write()
      .catch(error => {
        rmSync(inFolder(part), { force: true })
        opened.delete(part)
        onFailure(dataset, error)
      })
      .finally(() => closeSync(fd))
    return part
  }

  /** Opens the part of a file, or the file if another process has just finished it. */
  function openEither(part: string, name: string) {
    try {
      return open(part)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      return open(name)
    }
  }

  /** Opens a file for one reader. Readers of a file share its descriptor. */
  function open(name: string): { fd: number; close: () => void } {
    const file = opened.get(name) ?? { fd: openSync(inFolder(name), 'r'), users: 0 }
    opened.set(name, file)
    file.users++
    return {
      fd: file.fd,
      close() {
        file.users--
        if (file.users > 0) return
        closeSync(file.fd)
        if (opened.get(name) === file) opened.delete(name)
      },
    }
  }

  function fileOf(
    context: ServedDataset,
    release: Release,
    format: RecordFormat,
    snapshot?: Snapshot,
  ): BulkFile {
    const { name: dataset, record } = context.dataset
    const name = `${dataset}-${release.number}-${release.hash.slice(0, 16)}.${format.name}`
    const content = snapshot && {
      async write() {
        const { batches } = await snapshot.collection.execute({})
        return format.write(batches(), record)
      },
    }
    return { release, ...file(name, { dataset, format, release, identity: release.hash, ...content }) }
  }

  function file(name: string, source: Source): LazyFile {
    const { format, identity } = source
    const made = () => madeOf(name)
    // A part that is gone may be whole since then.
    const isBeingMade = () => partOf(name) !== undefined || made() !== undefined

    /** Returns the name of the file, or of the part that is being written. */
    function begin(): string {
      if (made() !== undefined) return name
      const part = partOf(name)
      if (part !== undefined) return part
      if (source.write === undefined) throw cannotBeMade(name)
      return make(name, source, source.write)
    }

    return {
      format,
      made,
      tag: tagOf(identity, format.name),
      async whole() {
        begin()
        for (;;) {
          const measures = made()
          if (measures !== undefined) return measures
          if (!isBeingMade()) throw cannotBeMade(name)
          await pause(LOOK_MS)
        }
      },
      read({ start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
        const { fd, close } = openEither(begin(), name)
        async function* chunks() {
          for (let at = start, isWhole = false; at < end; ) {
            isWhole ||= made() !== undefined
            const chunk = await readAt(fd, at, end)
            if (chunk.length === 0 && isWhole && end === Number.POSITIVE_INFINITY) return
            if (chunk.length === 0 && (isWhole || !isBeingMade())) throw new Error(`${name} is cut short`)
            if (chunk.length === 0) await pause(LOOK_MS)
            else yield chunk
            at += chunk.length
          }
        }
        return { chunks: chunks(), close }
      },
    }
  }

  return {
    file,
    of(context) {
      const snapshot = context.snapshot()
      const formats = bulkFormats(context)
      const earlier = wholeOf(context.dataset.name).flatMap(({ release, made }) => {
        const format = formats.find(({ name }) => name === made.format)
        return release.number === snapshot.release.number || format === undefined
          ? []
          : [fileOf(context, release, format)]
      })
      return [...formats.map(format => fileOf(context, snapshot.release, format, snapshot)), ...earlier]
    },
    retire(context) {
      const release = context.release()
      if (release === undefined) return
      const before = current.get(release.dataset)
      current.set(release.dataset, release)
      if (before === undefined) return
      const kept = [release.number, before.number]
      for (const { name, release: old } of wholeOf(release.dataset))
        if (!kept.includes(old.number))
          for (const path of [name + MADE, name]) rmSync(inFolder(path), { force: true })
    },
    stop() {
      if (shared === undefined && folder !== undefined) removeFolder(folder)
    },
  }
}

/** The formats of a dataset's files: all that can write its whole records. */
export const bulkFormats = ({ dataset }: ServedDataset): readonly RecordFormat[] =>
  formatsFor(FORMATS, dataset.record)

const cannotBeMade = (name: string) =>
  new Problem('DATASET_UNAVAILABLE', `${name} cannot be made at the moment.`, { retryAfterS: RETRY_AFTER_S })
