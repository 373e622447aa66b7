import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KeptRelease } from '../registry/releases.ts'
import { DamagedReleaseError } from '../store.ts'
import { syncFile } from '../sync-file.ts'

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
export async function putInPlace(temporary: string, path: string): Promise<string> {
  await syncFile(temporary, 'r+')
  const hash = await sha256(temporary)
  await rename(temporary, path)
  if (process.platform !== 'win32') await syncFile(dirname(path), 'r')
  return hash
}

/** Throws {@link DamagedReleaseError} unless the file has exactly the bytes that were published. */
export async function verifyFile(path: string, { release, locator }: KeptRelease): Promise<void> {
  const damaged = (what: string, cause?: unknown) =>
    new DamagedReleaseError(
      `release ${release.number} of ${release.dataset} is damaged: ${path} ${what}; go back to another release or import again`,
      { cause },
    )
  const found = await sha256(path).catch((error: unknown) => {
    throw damaged('is missing or cannot be read', error)
  })
  if (found !== locator) throw damaged('does not have the bytes that were published')
}
