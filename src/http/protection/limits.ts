import type { ServerOptions } from 'node:http'

/**
 * Timeouts and sizes for one connection. With Node's defaults (five minutes for a request, 16 KiB of headers) a slow or
 * hostile client could occupy it for long.
 */
export const HTTP_LIMITS = {
  requestTimeout: 5000,
  headersTimeout: 4000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 8192,
  // What a stream writes before it waits for its client: the same with every version of Node.
  highWaterMark: 16_384,
  // request/message.ts refuses requests without one, with a problem.
  requireHostHeader: false,
} satisfies ServerOptions

/** The longest variable part of a path. */
export const MAX_PARAMETER_LENGTH = 100

/** Connections beyond this many are refused rather than let memory run out. */
export const MAX_CONNECTIONS = 20_000

/** Requests in flight for one connection; further pipelined requests are queued, and their socket is paused. */
export const MAX_RESPONSES_PER_CONNECTION = 8

/** A further pipelined response is started only while a connection has fewer bytes than this unread by its client. */
export const MAX_UNSENT_PER_CONNECTION = 65_536

/** Pipelined requests that may wait on all connections together; about 5 KB each. */
export const MAX_WAITING_REQUESTS = 10_000

/** New connections that the kernel may hold until they are accepted; it allows at most net.core.somaxconn. */
export const BACKLOG = 4096
