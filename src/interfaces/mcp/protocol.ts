import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { VERSION } from '../../version.ts'
import type { Arguments } from './arguments.ts'
import type { Tool } from './tool.ts'

/** The tools for one message, and how they are called. */
export interface ToolBox {
  readonly title: string
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly call: (tool: Tool, sent: Arguments) => Promise<CallToolResult>
}

/**
 * Answers one message of the Model Context Protocol (Streamable HTTP, 2025-11-25) by itself: without sessions every message
 * may reach another instance.
 */
export async function answerMessage(request: Request, message: unknown, box: ToolBox): Promise<Response> {
  const server = new Server(
    { name: 'public-data-service', title: box.title, version: VERSION },
    { capabilities: { tools: {} }, instructions: box.instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: box.tools.map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = box.tools.find(({ name }) => name === params.name)
    if (tool === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `no tool has this name; there are ${box.tools.map(({ name }) => name).join(', ')}`,
      )
    return box.call(tool, params.arguments ?? {})
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport as Parameters<Server['connect']>[0])
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

const describe = ({ name, title, description, input }: Tool) => ({
  ...{ name, title, description, inputSchema: input() },
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
})
