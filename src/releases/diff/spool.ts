import { readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { digestOf } from '../../store/encoding/content.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'

/** Texts that wait to be read by their key, in bounded memory. */
export interface Spool {
  /** Adds a text, which has no line feed. */
  add(key: string, text: string): void
  /**
   * All texts in parts: those of one key are in one part, in their order. There is one part if all fit in memory. Nothing
   * can be added once they are read; they can be read again.
   */
  parts(): AsyncGenerator<readonly string[]>
  close(): void
}

/**
 * Creates a spool. Beyond `mostCharacters` it writes to a temporary file, which has no name from the moment it is opened:
 * the system removes it however the process ends.
 */
export function createSpool(mostCharacters = 1 << 20, folder?: string): Spool {
  let waiting: { key: string; text: string }[] = []
  let characters = 0
  let file: Spool | undefined

  return {
    add(key, text) {
      if (file !== undefined) return file.add(key, text)
      waiting.push({ key, text })
      characters += text.length
      if (characters <= mostCharacters) return
      file = createSpoolFile(openTemporaryFile(folder))
      for (const one of waiting) file.add(one.key, one.text)
      waiting = []
    },
    async *parts() {
      if (file === undefined) yield waiting.map(({ text }) => text)
      else yield* file.parts()
    },
    close: () => file?.close(),
  }
}

/** A million records of a register then make parts of some 150 KB: few enough to be collected as young objects. */
const PARTS = 2048
/** Bytes of a part that are written at once, at most. */
const BLOCK = 4096

/** A part of the file: a block that is not full yet, and where the blocks before it are. */
interface Part {
  readonly block: Buffer
  used: number
  readonly written: { readonly at: number; readonly length: number }[]
}

/** Texts leave the heap at once, for blocks that are used again: kept until they are written, they would outlive a collection. */
function createSpoolFile(file: TemporaryFile): Spool {
  const parts = Array.from(
    { length: PARTS },
    (): Part => ({ block: Buffer.alloc(BLOCK), used: 0, written: [] }),
  )
  let size = 0

  function write({ written }: Part, bytes: Buffer): void {
    file.write(bytes, size)
    written.push({ at: size, length: bytes.length })
    size += bytes.length
  }

  /** A block holds whole texts; one that is longer than a block is written by itself. */
  function append(part: Part, bytes: Buffer): void {
    if (part.used + bytes.length > BLOCK) {
      write(part, part.block.subarray(0, part.used))
      part.used = 0
    }
    if (bytes.length > BLOCK) write(part, bytes)
    else part.used += bytes.copy(part.block, part.used)
  }

  return {
    add(key, text) {
      const [high = 0, low = 0] = digestOf(key)
      const part = parts[((high << 8) | low) % PARTS]
      if (part !== undefined) append(part, Buffer.from(`${text}\n`))
    },
    async *parts() {
      for (const { block, used, written } of parts) {
        const blocks = written.map(({ at, length }) => readBlock(file.fd, at, length))
        yield Buffer.concat([...blocks, block.subarray(0, used)])
          .toString()
          .split('\n')
          .slice(0, -1)
        // Lets signals be handled.
        await nextTurn()
      }
    },
    close: file.leave,
  }
}

function readBlock(fd: number, at: number, length: number): Buffer {
  const block = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const read = readSync(fd, block, done, length - done, at + done)
    if (read === 0) throw new Error('the temporary file of a comparison is shorter than what was written')
    done += read
  }
  return block
}
