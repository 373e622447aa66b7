import type { ServerOptions } from 'node:http'

/**
 * Timeouts and sizes for one connection. With Node's defaults (five minutes for a request, 16 KiB of headers) a slow or hostile
 * client could occupy a connection for long.
 */
export const HTTP_LIMITS = {
  requestTimeout: 5000,
  headersTimeout: 4000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 8192,
  // The bytes that a stream writes before it waits for its client. Node's default depends on its version.
  highWaterMark: 16_384,
  // request/message.ts refuses requests without a Host header, with a problem.
  requireHostHeader: false,
} satisfies ServerOptions

/** The longest variable part of a path. */
export const MAX_PARAMETER_LENGTH = 100

/** Further connections are refused, so that memory does not run out. */
export const MAX_CONNECTIONS = 20_000

/** Requests in flight for one connection; further pipelined requests are queued, and their socket is paused. */
export const MAX_RESPONSES_PER_CONNECTION = 8

/** The next pipelined request starts only while the connection has fewer unsent bytes than this. */
export const MAX_UNSENT_PER_CONNECTION = 65_536

/** Pipelined requests that may wait on all connections together; about 5 KB each. */
export const MAX_WAITING_REQUESTS = 10_000

/** New connections that the kernel holds until they are accepted; at most net.core.somaxconn. */
export const BACKLOG = 4096
