import { digestOf } from '../../store/encoding/content.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'

/** Texts that wait to be read by key, in bounded memory. */
export type Spool = ReturnType<typeof createSpool>

/** One part for each first byte of a key's digest. A million records of a register make parts of about a megabyte. */
const PARTS = 256

/**
 * Creates a spool. Each time more than `mostCharacters` are in memory, the texts go to a temporary file. The file loses
 * its name once it is open, so the system removes it however the process ends.
 */
export function createSpool(mostCharacters = 1 << 21, folder?: string) {
  let waiting: { readonly key: string; readonly text: string }[] = []
  let characters = 0
  let file: TemporaryFile | undefined
  let size = 0
  /** Where the texts of each part are in the file. */
  const parts = Array.from({ length: PARTS }, (): { readonly start: number; readonly end: number }[] => [])

  function write(to: TemporaryFile): void {
    const texts = parts.map(() => '')
    for (const { key, text } of waiting) texts[digestOf(key)[0] ?? 0] += `${text}\n`
    for (const [at, part] of parts.entries()) {
      const bytes = Buffer.from(texts[at] ?? '')
      if (bytes.length === 0) continue
      to.write(bytes, size)
      part.push({ start: size, end: size + bytes.length })
      size += bytes.length
    }
    waiting = []
    characters = 0
  }

  return {
    /** Adds a text without line feeds. */
    add(key: string, text: string): void {
      waiting.push({ key, text })
      characters += text.length
      if (characters <= mostCharacters) return
      file ??= openTemporaryFile(folder)
      write(file)
    },
    /**
     * Yields all texts in parts. The texts of one key are in one part, in their order. There is one part if all texts
     * fit in memory. After the first reading, texts can be read again, but not added.
     */
    async *parts(): AsyncGenerator<readonly string[]> {
      if (file === undefined) return yield waiting.map(({ text }) => text)
      write(file)
      for (const part of parts) {
        const blocks: Buffer[] = []
        for (const { start, end } of part) for await (const block of file.read(end, start)) blocks.push(block)
        yield Buffer.concat(blocks).toString().split('\n').slice(0, -1)
      }
    },
    close: () => file?.leave(),
  }
}
