import { tmpdir } from 'node:os'
import { deniedByNode } from '../../values/system/node-permission.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'
import { PAGE_END } from '../bytes.ts'

/**
 * Yields a response once all of it has arrived, so that whoever reads it never waits for the server. Until then a temporary
 * file holds it, and the further pages that `nextPage` gives for each page. `PAGE_END` is between pages.
 */
export async function* received(
  first: AsyncIterable<Buffer> | undefined,
  nextPage?: (page: AsyncIterable<Buffer>) => Promise<AsyncIterable<Buffer> | undefined>,
): AsyncGenerator<Buffer> {
  let file: TemporaryFile | undefined
  let end = 0
  const starts: number[] = []
  try {
    for (let page = first; page !== undefined; ) {
      const start = end
      for await (const chunk of page) {
        try {
          file ??= openTemporaryFile()
          file.write(chunk, end)
        } catch (error) {
          throw notKept(error as NodeJS.ErrnoException)
        }
        end += chunk.length
      }
      starts.push(start)
      page = file && (await nextPage?.(file.read(end, start)))
    }
    for (const [at, start] of starts.entries()) {
      if (at > 0) yield PAGE_END
      if (file !== undefined) yield* file.read(starts[at + 1] ?? end, start)
    }
  } finally {
    file?.leave()
  }
}

function notKept(error: NodeJS.ErrnoException): Error {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${error.code ?? error.message})`
  return new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}
