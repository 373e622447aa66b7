import { closeSync, readSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { digestOf } from '../../store/encoding/content.ts'
import { openNameless } from '../../values/temporary-file.ts'

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
      file = createSpoolFile(openNameless(folder))
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
/** Bytes of a part that are written at once. */
const BLOCK = 4096

/** A part of the file: a block that is not full yet, and the positions of those before. */
interface Part {
  readonly block: Buffer
  used: number
  readonly written: number[]
}

/** Texts leave the heap at once, for blocks that are used again: kept until they are written, they would outlive a collection. */
function createSpoolFile(fd: number): Spool {
  const parts = Array.from(
    { length: PARTS },
    (): Part => ({ block: Buffer.alloc(BLOCK), used: 0, written: [] }),
  )
  let size = 0

  function append(part: Part, bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) {
      const copied = bytes.copy(part.block, part.used, done)
      done += copied
      part.used += copied
      if (part.used < BLOCK) continue
      for (let out = 0; out < BLOCK; ) out += writeSync(fd, part.block, out, BLOCK - out, size + out)
      part.written.push(size)
      part.used = 0
      size += BLOCK
    }
  }

  return {
    add(key, text) {
      const [high = 0, low = 0] = digestOf(key)
      const part = parts[((high << 8) | low) % PARTS]
      if (part !== undefined) append(part, Buffer.from(`${text}\n`))
    },
    async *parts() {
      for (const { block, used, written } of parts) {
        const bytes = Buffer.alloc(written.length * BLOCK + used)
        for (const [at, position] of written.entries()) readBlock(fd, bytes, at * BLOCK, position)
        block.copy(bytes, written.length * BLOCK, 0, used)
        yield bytes.toString().split('\n').slice(0, -1)
        // Lets signals be handled.
        await nextTurn()
      }
    },
    close: () => closeSync(fd),
  }
}

function readBlock(fd: number, into: Buffer, at: number, position: number): void {
  for (let done = 0; done < BLOCK; ) {
    const read = readSync(fd, into, at + done, BLOCK - done, position + done)
    if (read === 0) throw new Error('the temporary file of a comparison is shorter than what was written')
    done += read
  }
}
