import type { Problem } from '../../errors.ts'
import { JSON_TYPE, requireAcceptable } from '../../http/negotiation.ts'
import type { Get } from '../../http/pipeline.ts'
import type { ParsedRequest } from '../../http/request.ts'
import { unkept } from '../../http/response.ts'
import type { Router } from '../../http/router.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { answer, failure } from './answer.ts'
import { type Arguments, callTool, type Tool } from './tool.ts'
import { createTools } from './tools.ts'

/** The path of the Model Context Protocol. */
export const MCP_PATH = '/mcp'

interface McpOptions {
  readonly catalogue: Catalogue
  readonly title: string
  /** The public base address, without a trailing slash; read at each use. */
  readonly baseUrl: () => string
  /** Requests the service's own endpoints. */
  readonly get: Get
  readonly toProblem: (error: unknown) => Problem
}

/** Adds the Model Context Protocol, for agents that call tools. Each tool requests the public endpoints. */
export function addMcp(router: Router, options: McpOptions): void {
  const { title, catalogue } = options
  const tools = createTools(router.routes, catalogue.names)
  const version = () => String(catalogue.entries().map(({ release }) => release))
  /** Loaded by the first message, so that a service without agents needs no time or memory for it. */
  const load = async () => {
    const { createProtocol } = await import('./protocol.ts')
    return createProtocol({ title, tools, version })
  }
  let loading: ReturnType<typeof load> | undefined
  router.add({
    path: MCP_PATH,
    accepts: { mediaType: JSON_TYPE, maxBytes: 65_536 },
    async handle(request) {
      requireAcceptable(request.headers.accept, JSON_TYPE)
      loading ??= load().catch(error => {
        loading = undefined
        throw error
      })
      const answerMessage = await loading
      const read = () =>
        answerMessage({
          body: request.body ?? Buffer.alloc(0),
          version: request.headers['mcp-protocol-version'],
          call: (tool, sent) => answerCall(tool, sent, request, options),
        })
      // In an object, so that this work ends before the tool's own requests, which also need room.
      const { answered } = await router.shared.scheduler.run(request.client(), () => ({ answered: read() }))
      const { status, message } = await answered
      return message === undefined
        ? unkept(status, undefined, '')
        : unkept(status, JSON_TYPE, JSON.stringify(message))
    },
  })
}

async function answerCall(
  tool: Tool,
  sent: Arguments,
  request: ParsedRequest,
  { catalogue, baseUrl, get, toProblem }: McpOptions,
) {
  const urls: string[] = []
  let isSynthetic = false
  try {
    const found = await callTool(tool, sent, async path => {
      const { headers, body } = await get(path, request)
      urls.push(addressOf(baseUrl(), path))
      isSynthetic ||= headers.includes('synthetic-data')
      return JSON.parse(String(body))
    })
    return answer(found, { entries: catalogue.entries(), urls, isSynthetic })
  } catch (error) {
    return failure(toProblem(error))
  }
}
