import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DamagedReleaseError } from '../store.ts'
import type { KeptRelease } from './release-rows.ts'

/** Bytes read at once: few enough to hash without blocking the event loop noticeably. */
const CHUNK_BYTES = 1 << 18

/**
 * SHA-256 of a file's bytes, lower-case hexadecimal. All reads share one buffer: a stream would allocate as much as the
 * file's size, and garbage collection would delay requests.
 */
async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  const handle = await open(path, 'r')
  try {
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(chunk.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

/** Renames a finished file so that name and bytes survive a power failure; returns its SHA-256. */
export async function putInPlace(aside: string, path: string): Promise<string> {
  await sync(aside, 'r+')
  const hash = await sha256(aside)
  await rename(aside, path)
  if (process.platform !== 'win32') await sync(dirname(path), 'r')
  return hash
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Throws {@link DamagedReleaseError} unless the file has exactly the bytes that were published. */
export async function verifyFile(path: string, { release, fileSha256 }: KeptRelease): Promise<void> {
  const damaged = (what: string, cause?: unknown) =>
    new DamagedReleaseError(
      `release ${release.number} of ${release.dataset} is damaged: ${path} ${what}; go back to another release or import again`,
      { cause },
    )
  const found = await sha256(path).catch((error: unknown) => {
    throw damaged('is missing or cannot be read', error)
  })
  if (found !== fileSha256) throw damaged('does not have the bytes that were published')
}
