import { pipeline } from 'node:stream/promises'

/** Writes lines to standard output. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Writes a value to standard output as JSON, for machines. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Writes chunks to standard output with backpressure, and stops when the reader closes the pipe (`| head`). */
export async function printChunks(chunks: AsyncIterable<Buffer>): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, { end: false })
  } catch (error) {
    if (!isClosedPipe(error)) throw error
  }
}

/** Ignores a closed pipe, which would otherwise end the process with a stack. */
export function passOverClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', error => {
    if (!isClosedPipe(error)) throw error
  })
}

function isClosedPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
