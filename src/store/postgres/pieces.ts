import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AT_ONCE, type FileBytes, PIECE_BYTES } from '../../columnar/read-table-file.ts'
import type { KeptRelease } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import type { FilePlace } from '../releases/file-builder.ts'
import { damaged } from '../releases/release-file.ts'

/** Stores a release's file as pieces of a megabyte in a table. No one else knows the name until it is registered. */
export const filesIn = (registry: Registry, name = newId()): FilePlace => ({
  async put(_number, _ending, pieces) {
    let piece = 0
    for (const bytes of pieces)
      await registry.insertInto('release_pieces').values({ name, piece: piece++, bytes }).execute()
    return name
  },
  async remove() {
    await registry.deleteFrom('release_pieces').where('name', '=', name).execute()
  },
})

/** Removes the files without a release; resolves to their number. */
export async function removeUnknownPieces(registry: Registry): Promise<number> {
  const unknown = await registry
    .deleteFrom('release_pieces')
    .where('name', 'not in', ({ selectFrom }) => selectFrom('release_files').select('name'))
    .returning('piece')
    .execute()
  return unknown.filter(({ piece }) => piece === 0).length
}

/** Opens a file. Reading throws {@link DamagedReleaseError} where a piece is missing or short. */
export function openPieces(registry: Registry, { release, name }: KeptRelease, size: number): FileBytes {
  /** The pieces read last, one for each array that is read at once: the next array begins where another ended. */
  const pieces = new LRUCache<number, Promise<Uint8Array>>({ max: AT_ONCE })

  async function pieceAt(piece: number): Promise<Uint8Array> {
    const found = await registry
      .selectFrom('release_pieces')
      .select('bytes')
      .where('name', '=', name)
      .where('piece', '=', piece)
      .executeTakeFirst()
    if (found?.bytes.length !== Math.min(PIECE_BYTES, size - piece * PIECE_BYTES))
      throw damaged(release, `piece ${piece} of its file is missing or short`)
    return found.bytes
  }

  return {
    size,
    async read(into, position) {
      for (let done = 0; done < into.length; ) {
        const at = position + done
        const piece = Math.floor(at / PIECE_BYTES)
        const found = pieces.get(piece) ?? pieceAt(piece)
        pieces.set(piece, found)
        const bytes = await found
        const some = bytes.subarray(at % PIECE_BYTES, (at % PIECE_BYTES) + into.length - done)
        into.set(some, done)
        done += some.length
      }
    },
  }
}

/**
 * An id that is never reused, even after data loss. A sequence would repeat an id after a fail-over to a standby that lacks it,
 * while an instance may still hold that release. The id is a time in milliseconds and three random digits, in case clocks differ.
 * Earlier versions use 15 digits at most, so their sweep leaves tables with these ids alone.
 */
export const newId = (): string => String(Date.now() * 1000 + randomInt(1000))
