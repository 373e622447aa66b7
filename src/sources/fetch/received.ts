import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { deniedByNode } from '../../values/node-permission.ts'
import { openNameless } from '../../values/temporary-file.ts'

/**
 * Yields a response once all of it has arrived, so that whoever reads it never waits for the server. Until then a temporary
 * file holds it.
 */
export async function* received(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let file: FileHandle | undefined
  try {
    for await (const chunk of chunks) {
      file ??= await openNameless().catch(notKept)
      await file.appendFile(chunk).catch(notKept)
    }
    if (file !== undefined) yield* file.createReadStream({ start: 0, autoClose: false })
  } finally {
    await file?.close()
  }
}

function notKept(error: NodeJS.ErrnoException): never {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${error.code ?? error.message})`
  throw new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}
