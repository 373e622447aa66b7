import type { Client, Connection, Submittable } from 'pg'

/** A stream of rows into a table. */
export interface CopyIn {
  /** Adds rows in the text format. Returns a promise while the server is behind. Throws the error of an earlier row. */
  write(lines: string | Uint8Array): Promise<void> | undefined
  /** Ends the stream, which inserts its rows. */
  end(): Promise<void>
  /** Aborts the stream, which inserts none of its rows. */
  cancel(): Promise<void>
}

/** The part of the driver's connection that its types leave out. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/**
 * Starts `copy … from stdin` on a connection, which is busy until the stream has ended
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY). The driver calls the handlers.
 */
export async function startCopy(client: Client, statement: string): Promise<CopyIn> {
  let connection: CopyConnection | undefined
  let failure: { readonly error: unknown } | undefined
  const started = deferred()
  const ended = deferred()
  function fail(error: unknown): void {
    failure ??= { error }
    started.reject(error)
    ended.reject(error)
  }
  const query = {
    submit(over: Connection) {
      connection = over as CopyConnection
      over.query(statement)
    },
    handleCopyInResponse: () => started.resolve(),
    handleCommandComplete() {},
    handleReadyForQuery: () => (failure === undefined ? ended.resolve() : undefined),
    handleError: fail,
  }
  client.query(query satisfies Submittable)
  await started.promise
  if (connection === undefined) throw new Error('the driver did not start the copy')
  const { stream } = connection
  const open = connection

  async function drained(): Promise<void> {
    const drain = deferred()
    stream.once('drain', drain.resolve)
    await Promise.race([drain.promise, ended.promise])
    stream.off('drain', drain.resolve)
  }

  return {
    write(lines) {
      if (failure !== undefined) throw failure.error
      open.sendCopyFromChunk(bytesOf(lines))
      return stream.writableNeedDrain ? drained() : undefined
    },
    async end() {
      if (failure !== undefined) throw failure.error
      open.endCopyFrom()
      await ended.promise
    },
    async cancel() {
      if (failure !== undefined) return
      open.sendCopyFail('given up')
      await ended.promise.catch(() => undefined)
    },
  }
}

const bytesOf = (lines: string | Uint8Array): Buffer =>
  typeof lines === 'string'
    ? Buffer.from(lines)
    : Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)

/** A promise with the functions that settle it. */
export interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Creates a promise that is settled from outside; an unhandled rejection of it is ignored. */
export function deferred(): Deferred {
  let [resolve, reject]: [() => void, (reason: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((...settle) => {
    ;[resolve, reject] = settle
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}
