import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

/** A stream of rows into a table. */
export interface CopyIn {
  /**
   * Adds rows in the text format. Returns a promise while the server is behind, which the caller awaits before the next
   * call. Throws the error of an earlier row.
   */
  write(lines: string): Promise<void> | undefined
  /** Ends the stream, which inserts its rows. */
  end(): Promise<void>
  /** Aborts the stream, which inserts none of its rows. */
  cancel(): Promise<void>
}

/**
 * Characters sent at once. A chunk fills the stream's buffer, so the next chunk waits until it is sent. Otherwise
 * the library would send further chunks after the server has refused one.
 */
const CHUNK = 1 << 16

/** Starts `copy … from stdin` on a connection, which is busy until the stream has ended. */
export function startCopy(client: Client, statement: string): CopyIn {
  const stream = client.query(from(statement, { highWaterMark: CHUNK }))
  let failure: { readonly error: unknown } | undefined
  let text = ''
  stream.on('error', error => {
    failure ??= { error }
  })

  async function send(): Promise<void> {
    const chunk = text
    text = ''
    if (!stream.write(chunk)) await once(stream, 'drain')
  }

  return {
    write(lines) {
      if (failure !== undefined) throw failure.error
      text += lines
      return text.length < CHUNK ? undefined : send()
    },
    async end() {
      if (failure !== undefined) throw failure.error
      stream.end(text)
      await finished(stream)
    },
    async cancel() {
      // After an error of the server the stream has ended, though not by its events.
      if (failure !== undefined) return
      failure = { error: new Error('the copy was cancelled') }
      stream.destroy()
      await finished(stream).catch(() => undefined)
    },
  }
}
