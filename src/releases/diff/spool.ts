import type { FileHandle } from 'node:fs/promises'
import { shortDigest } from '../../store/encoding/content.ts'
import { openNameless } from '../../values/temporary-file.ts'

/** Texts that wait to be read by their key, in bounded memory. */
export interface Spool {
  /** Adds a text, which has no line feed. Await a returned promise before adding the next. */
  add(key: string, text: string): Promise<void> | undefined
  /**
   * All texts in parts: those of one key are in one part, in their order. There is one part if all fit in memory. Nothing
   * can be added while they are read; they can be read again.
   */
  parts(): AsyncGenerator<readonly string[]>
  close(): Promise<void>
}

/** Ten million records of a register then make parts of some 30 MB. */
const PARTS = 256

interface Extent {
  readonly position: number
  readonly length: number
}

/** Creates a spool. Beyond `mostCharacters` it writes to a temporary file. */
export function createSpool(mostCharacters = 1 << 22, folder?: string): Spool {
  let waiting: { key: string; text: string }[] = []
  let characters = 0
  let file: FileHandle | undefined
  let size = 0
  const extents: Extent[][] = Array.from({ length: PARTS }, () => [])

  async function flush(): Promise<void> {
    file ??= await openNameless(folder)
    const parts: string[][] = Array.from({ length: PARTS }, () => [])
    for (const { key, text } of waiting) parts[shortDigest(key)[0] ?? 0]?.push(`${text}\n`)
    waiting = []
    characters = 0
    for (const [index, texts] of parts.entries()) {
      if (texts.length === 0) continue
      const bytes = Buffer.from(texts.join(''))
      await writeWhole(file, bytes, size)
      extents[index]?.push({ position: size, length: bytes.length })
      size += bytes.length
    }
  }

  return {
    add(key, text) {
      waiting.push({ key, text })
      characters += text.length
      return characters > mostCharacters ? flush() : undefined
    },
    async *parts() {
      if (file === undefined) return yield waiting.map(({ text }) => text)
      await flush()
      for (const part of extents) {
        const bytes = []
        for (const extent of part) bytes.push(await readWhole(file, extent))
        yield Buffer.concat(bytes).toString().split('\n').slice(0, -1)
      }
    },
    async close() {
      await file?.close()
    },
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
}

async function readWhole(file: FileHandle, { position, length }: Extent): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done)
    if (bytesRead === 0)
      throw new Error('the temporary file of a comparison is shorter than what was written')
    done += bytesRead
  }
  return bytes
}
