/**
 * How much of the service one connection may take. Node's own defaults (no request timeout, 16 KiB of headers, a
 * minute and more of idling) let a slow or hostile client hold on to it.
 */
export const HTTP_LIMITS = {
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  forceCloseConnections: 'idle' as const,
  return503OnClosing: false,
  routerOptions: { maxParamLength: 100, ignoreTrailingSlash: true },
  http: {
    maxHeaderSize: 8192,
    headersTimeout: 4000,
    connectionsCheckingInterval: 1000,
    // request-rules.ts refuses requests without one, with a problem.
    requireHostHeader: false,
  },
} as const

/** Connections beyond this many are refused rather than let memory run out. */
export const MAX_CONNECTIONS = 20_000
