import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../values/system/error-code.ts'

/** Writes lines to standard output. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Writes a value to standard output as JSON, for machines. Text from a source must not control a terminal here either. */
export function printJson(value: unknown): void {
  print(escapeUnseen(JSON.stringify(value, null, 2)))
}

/** Writes a report to standard output: as JSON, or as lines for people. */
export function printReport<T>(
  report: T,
  json: boolean | undefined,
  text: (report: T) => readonly string[],
): void {
  if (json) printJson(report)
  else print(...text(report))
}

/** Escapes the characters of a JSON text that control a terminal. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, escaped)
}

/** The characters that JSON leaves unescaped among control and format characters, and line and paragraph separators. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** Writes chunks to standard output with backpressure, and stops when the reader closes the pipe (`| head`). */
export async function printChunks(chunks: AsyncIterable<Buffer | string>): Promise<void> {
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
  const code = errorCode(error)
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
