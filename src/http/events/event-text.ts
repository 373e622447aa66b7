/** The media type of event streams (HTML living standard 9.2). */
export const EVENT_STREAM = 'text/event-stream'

/** The bytes of one event. `data` is text without line breaks, as JSON is. */
export function eventBytes(name: string, id: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${name}\nid: ${id}\ndata: `), data, Buffer.from('\n\n')])
}

/** The bytes of a comment, which clients ignore. */
export const commentBytes = (text: string): Buffer => Buffer.from(`: ${text}\n\n`)

/** The line that sets a client's reconnection delay. */
export const retryLine = (ms: number): string => `retry: ${ms}\n`
