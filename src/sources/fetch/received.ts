import { closeSync, createReadStream, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { deniedByNode } from '../../values/node-permission.ts'
import { openNameless } from '../../values/temporary-file.ts'

/**
 * Yields a response once all of it has arrived, so that whoever reads it never waits for the server. Until then a temporary
 * file holds it.
 */
export async function* received(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let fd: number | undefined
  try {
    for await (const chunk of chunks) {
      try {
        fd ??= openNameless()
        for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done)
      } catch (error) {
        throw notKept(error as NodeJS.ErrnoException)
      }
    }
    if (fd !== undefined) yield* createReadStream('', { fd, start: 0, autoClose: false })
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function notKept(error: NodeJS.ErrnoException): Error {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${error.code ?? error.message})`
  return new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}
