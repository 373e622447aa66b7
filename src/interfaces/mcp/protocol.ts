import {
  type CallToolResult,
  INVALID_REQUEST,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PARSE_ERROR,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import { invalidParameters } from '../../http/parameters.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { VERSION } from '../../version.ts'
import { type Arguments, inputSchema, type Tool } from './tool.ts'

const INSTRUCTIONS =
  'Public datasets of an island, read-only. Every answer names publisher, licence, attribution, the time of publication and the address of the same question in the API: cite them. Where `about.synthetic` is true the data is invented.'

/** More than any honest message has. `params` and `arguments` are two of the levels. */
const MAX_VALUES = 100
const MAX_LEVELS = 7
const ALLOWED = `at most ${MAX_VALUES} values, nested at most ${MAX_LEVELS} levels deep`

const TOO_LARGE = invalidParameters([
  { parameter: 'arguments', detail: `are too many: a message may have ${ALLOWED}`, allowed: ALLOWED },
])

interface ProtocolOptions {
  readonly title: string
  readonly tools: readonly Tool[]
  /** Changes whenever the arguments of the tools may have changed. */
  readonly version: () => string
}

/** The body of a request, the protocol version that the request names, and how it calls a tool. */
export interface Received {
  readonly body: Buffer
  readonly version: string | string[] | undefined
  readonly call: (tool: Tool, sent: Arguments) => Promise<CallToolResult>
}

/** The status of a response, and its message in JSON-RPC, if it has one. */
export interface Answer {
  readonly status: number
  readonly message?: object
}

/**
 * Creates the function that answers messages of the Model Context Protocol (Streamable HTTP, 2025-11-25). Each message has a
 * separate server. Without sessions, the next message may reach another instance, and no client can cancel another client's
 * request.
 */
export function createProtocol(options: ProtocolOptions): (received: Received) => MaybePromise<Answer> {
  const { title, tools, version } = options
  let listed: { version: string; tools: ReturnType<typeof describe>[] } | undefined

  function createServer(call: Received['call']): Server {
    const server = new Server(
      { name: 'public-data-service', title, version: VERSION },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    )
    server.setRequestHandler('tools/list', () => {
      const current = version()
      if (listed?.version !== current) listed = { version: current, tools: tools.map(describe) }
      return { tools: listed.tools }
    })
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name)
      if (tool !== undefined) return call(tool, params.arguments ?? {})
      const names = tools.map(({ name }) => name).join(', ')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool has this name; there are ${names}`)
    })
    return server
  }

  return ({ body, version, call }) => {
    const message = parse(body)
    if (message === undefined) return rejection(PARSE_ERROR, 'Parse error: the body is not JSON in UTF-8.')
    if (Array.isArray(message))
      return rejection(INVALID_REQUEST, 'Invalid Request: send one message, not a batch.')
    if (countValues(message, MAX_LEVELS) > MAX_VALUES) throw TOO_LARGE
    const isRequest = isJSONRPCRequest(message)
    if (!isRequest && !isJSONRPCNotification(message) && !isJSONRPCResponse(message))
      return rejection(PARSE_ERROR, 'Parse error: Invalid JSON-RPC message')
    const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
    if (!isKnown && !isInitializeRequest(message))
      return rejection(
        -32_000,
        `Unsupported protocol version: there are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`,
      )
    return isRequest ? askServer(createServer(call), message) : { status: 202 }
  }
}

/** Passes its only message to a server, and resolves to the answer. */
const askServer = (server: Server, message: JSONRPCRequest) =>
  new Promise<Answer>((resolve, reject) => {
    const transport: Transport = {
      start: async () => transport.onmessage?.(message),
      send: async (answer: JSONRPCMessage) => resolve({ status: 200, message: answer }),
      close: async () => {},
    }
    server.connect(transport).catch(reject)
  })

/** The answer to a body that is not one message of JSON-RPC 2.0. */
const rejection = (code: number, message: string): Answer => ({
  status: 400,
  message: { jsonrpc: '2.0', error: { code, message }, id: null },
})

/** The JSON of a body; undefined if the body is not JSON in UTF-8. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** Counts the values in a message, at most until they are too many; infinity if the message is nested too deep. */
function countValues(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = levels === 0 ? Number.POSITIVE_INFINITY : 1
  for (const member of Object.values(value)) {
    if (count > MAX_VALUES) break
    count += countValues(member, levels - 1)
  }
  return count
}

function describe(tool: Tool) {
  const { name, title, description } = tool
  // The library's type accepts only its own schemas.
  const schema: { type: 'object'; [keyword: string]: unknown } = inputSchema(tool)
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  return { name, title, description, inputSchema: schema, annotations: { title, ...hints } }
}
