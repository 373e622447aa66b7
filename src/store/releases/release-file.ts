import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { openColumnarTable } from '../../columnar/columnar-table.ts'
import {
  DamagedTableError,
  type FileBytes,
  readDigests,
  readTableFile,
  UnreadableTableError,
} from '../../columnar/read-table-file.ts'
import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { gatherDigests } from '../encoding/digests.ts'
import type { KeptRelease } from '../registry/releases.ts'
import { DamagedReleaseError, type OpenRelease, type Release, StoreUnusableError } from '../store.ts'

/** Bytes of one read: few enough to hash without blocking the event loop noticeably. */
const CHUNK_BYTES = 1 << 18

/** Reads a release from its file into memory. Throws {@link DamagedReleaseError} and {@link StoreUnusableError}. */
export async function openReleaseFile(
  kept: KeptRelease,
  layout: Layout,
  file: FileBytes,
  isBeside?: boolean,
): Promise<OpenRelease> {
  const { release } = kept
  if (layout.kind === 'documents') {
    const lines = await readList(kept, file)
    return { release, ...reading(() => batches(lines)) }
  }
  const data = await readTableFile(file, layout, isBeside).catch((error: unknown) => {
    throw explained(release, error)
  })
  if (data.rows !== release.rows)
    throw damaged(release, `it has ${data.rows} rows and was published with ${release.rows}`)
  const table = openColumnarTable(layout, data)
  return { release, table, ...reading(table.texts) }
}

/** Reads records, one batch in each turn of the event loop. */
function reading(texts: () => Iterable<readonly string[]>): Pick<OpenRelease, 'records' | 'contents'> {
  async function* contents() {
    for (const batch of texts()) {
      yield batch
      await nextTurn()
    }
  }
  return {
    contents,
    async *records(): AsyncGenerator<StoredRecord> {
      for await (const batch of contents()) yield* JSON.parse(`[${batch.join(',')}]`)
    },
  }
}

/** The digests of a release's records, piece by piece. For a list, they are computed with ids as keys. */
export async function* digestsOfFile(
  kept: KeptRelease,
  layout: Layout,
  file: FileBytes,
): AsyncGenerator<Uint8Array> {
  if (layout.kind === 'documents') {
    const digests = gatherDigests()
    for (const line of await readList(kept, file)) digests.add(String(JSON.parse(line).id), line)
    return yield digests.bytes()
  }
  try {
    yield* readDigests(file)
  } catch (error) {
    throw explained(kept.release, error)
  }
}

/** Reads every byte. Throws {@link DamagedReleaseError} unless the file is as published. */
export async function verifyReleaseFile(kept: KeptRelease, file: FileBytes): Promise<void> {
  requireSize(kept, file)
  const hash = createHash('sha256')
  for await (const chunk of chunksOf(file)) hash.update(chunk)
  requireHash(kept, hash)
}

/** Reads every byte in chunks, which share one buffer. */
export async function* chunksOf(file: FileBytes): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, file.size))
  for (let at = 0; at < file.size; at += buffer.length) {
    const chunk = buffer.subarray(0, file.size - at)
    await file.read(chunk, at)
    yield chunk
  }
}

function requireSize({ release }: KeptRelease, { size }: FileBytes): void {
  if (size !== release.bytes)
    throw damaged(release, `it has ${size} bytes and was published with ${release.bytes}`)
}

function requireHash({ release, sha256 }: KeptRelease, hash: Hash): void {
  if (hash.digest('hex') !== sha256) throw damaged(release, 'its bytes differ from the published bytes')
}

/** The error for a release whose content differs from the published content; `what` is the difference. */
export const damaged = ({ dataset, number }: Release, what: string, cause?: unknown): DamagedReleaseError =>
  new DamagedReleaseError(
    `release ${number} of ${dataset} is damaged: ${what}; go back to another release or import again`,
    { cause },
  )

/** The lines of a list, without their ends. */
async function readList(kept: KeptRelease, file: FileBytes): Promise<readonly string[]> {
  requireSize(kept, file)
  const bytes = Buffer.alloc(file.size)
  await file.read(bytes, 0)
  requireHash(kept, createHash('sha256').update(bytes))
  const text = (await promisify(gunzip)(bytes)).toString()
  return text === '' ? [] : text.slice(0, -1).split('\n')
}

const BATCH = 500

function* batches(lines: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < lines.length; from += BATCH) yield lines.slice(from, from + BATCH)
}

/** Adds the release's name to an error of its table file. */
function explained(release: Release, error: unknown): unknown {
  const { dataset, number } = release
  if (error instanceof DamagedTableError) return damaged(release, error.message, error)
  if (error instanceof UnreadableTableError)
    return new StoreUnusableError(`release ${number} of ${dataset} cannot be read: ${error.message}`)
  return error
}
