import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../values/system/error-code.ts'

/** Writes lines to standard output. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Writes a value to standard output as JSON, for machines. */
export const printJson = (value: unknown): void => printReport(value, true, () => [])

/** Writes a report, by default to standard output: as JSON, in which no text controls a terminal, or as lines for people. */
export function printReport<T>(
  report: T,
  json: boolean | undefined,
  text: (report: T) => readonly string[],
  output: NodeJS.WriteStream = process.stdout,
): void {
  const lines = json ? [escapeUnseen(JSON.stringify(report, null, 2))] : text(report)
  output.write(`${lines.join('\n')}\n`)
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

/** Whether the reader of a pipe has closed it. */
export function isClosedPipe(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
