import { closeSync, constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { PIPE_WAIT_MS } from './limits.ts'
import { Refusal } from './source-row.ts'

const MS_BETWEEN_LOOKS = 50

/**
 * Opens a named pipe for reading without blocking, since a thread that waits in `open` cannot be interrupted, and keeps
 * the process from exiting. Throws {@link Refusal} if no program writes to the pipe within {@link PIPE_WAIT_MS}.
 */
export async function openPipe(path: string): Promise<Readable> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = Buffer.alloc(1 << 16)
  for (let waited = 0; waited < PIPE_WAIT_MS; waited += MS_BETWEEN_LOOKS) {
    const length = readNow(fd, first)
    if (length !== 0) {
      const socket = new Socket({ fd, readable: true, writable: false })
      if (length > 0) socket.unshift(first.subarray(0, length))
      return socket
    }
    // The pipe is at its end until a program has opened it for writing.
    await setTimeout(MS_BETWEEN_LOOKS)
  }
  closeSync(fd)
  throw new Refusal(
    `${path} is a pipe to which no program writes; start one within ${PIPE_WAIT_MS / 1000} seconds`,
  )
}

/** The number of bytes that were there to read; -1 if the writer has not written any yet. */
function readNow(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1
    throw error
  }
}
