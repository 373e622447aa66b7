import { closeSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { deniedByNode } from '../../values/node-permission.ts'
import { openNameless, readNameless } from '../../values/temporary-file.ts'
import { PAGE_END } from '../bytes.ts'

/**
 * Yields a response once all of it has arrived, so that whoever reads it never waits for the server. Until then a temporary
 * file holds it, and the further pages that `nextPage` gives for each page. `PAGE_END` is between pages.
 */
export async function* received(
  first: AsyncIterable<Buffer> | undefined,
  nextPage?: (page: AsyncIterable<Buffer>) => Promise<AsyncIterable<Buffer> | undefined>,
): AsyncGenerator<Buffer> {
  let fd: number | undefined
  let end = 0
  const starts: number[] = []
  try {
    for (let page = first; page !== undefined; ) {
      const start = end
      for await (const chunk of page) {
        try {
          fd ??= openNameless()
          for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done)
        } catch (error) {
          throw notKept(error as NodeJS.ErrnoException)
        }
        end += chunk.length
      }
      starts.push(start)
      page = fd === undefined ? undefined : await nextPage?.(readNameless(fd, end, start))
    }
    for (const [at, start] of starts.entries()) {
      if (at > 0) yield PAGE_END
      if (fd !== undefined) yield* readNameless(fd, starts[at + 1] ?? end, start)
    }
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function notKept(error: NodeJS.ErrnoException): Error {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${error.code ?? error.message})`
  return new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}
