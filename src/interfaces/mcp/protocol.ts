import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import type { MaybePromise } from '../../values/promises.ts'
import { VERSION } from '../../version.ts'
import { type Answer, rejection } from './answer.ts'
import { type Arguments, inputSchema, type Tool } from './tool.ts'

export interface ProtocolOptions {
  readonly title: string
  readonly instructions: string
  readonly tools: readonly Tool[]
  /** Changes whenever the arguments of the tools may have changed. */
  readonly version: () => string
}

/** A message, the protocol version that its request names, and how it calls a tool. */
export interface Received {
  readonly message: unknown
  readonly version: string | string[] | undefined
  readonly call: (tool: Tool, sent: Arguments) => Promise<CallToolResult>
}

interface Running extends Pick<Received, 'call'> {
  readonly answer: (message: JSONRPCMessage) => void
}

/**
 * Creates what answers messages of the Model Context Protocol (Streamable HTTP, 2025-11-25), each by itself: without sessions
 * every message may reach another instance. One server answers all clients, so requests have ids of its own there. It gets no
 * notifications: by one of them a client could cancel the request of another.
 */
export async function createProtocol(
  options: ProtocolOptions,
): Promise<(received: Received) => MaybePromise<Answer>> {
  const { title, instructions, tools } = options
  const running = new Map<RequestId, Running>()
  let lastId = 0
  let listed: { version: string; tools: ReturnType<typeof describe>[] } | undefined
  const server = new Server(
    { name: 'public-data-service', title, version: VERSION },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => {
    const version = options.version()
    if (listed?.version !== version) listed = { version, tools: tools.map(describe) }
    return { tools: listed.tools }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    const tool = tools.find(({ name }) => name === params.name)
    const call = running.get(requestId)?.call
    if (tool === undefined || call === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `no tool has this name; there are ${tools.map(({ name }) => name).join(', ')}`,
      )
    return call(tool, params.arguments ?? {})
  })
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      if ('id' in message && message.id !== undefined) running.get(message.id)?.answer(message)
    },
  }
  await server.connect(transport)

  return ({ message, version, call }) => {
    if (!JSONRPCMessageSchema.safeParse(message).success)
      return rejection(ErrorCode.ParseError, 'Parse error: Invalid JSON-RPC message')
    if (
      version !== undefined &&
      !isInitializeRequest(message) &&
      !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
    )
      return rejection(
        -32_000,
        `Unsupported protocol version: there are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`,
      )
    if (!isJSONRPCRequest(message)) return { status: 202 }
    const id = ++lastId
    return new Promise<Answer>(resolve => {
      const answer = (answered: JSONRPCMessage) => {
        running.delete(id)
        resolve({ status: 200, message: { ...answered, id: message.id } })
      }
      running.set(id, { call, answer })
      transport.onmessage?.({ ...message, id })
    })
  }
}

const describe = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool),
  annotations: {
    title: tool.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
})
