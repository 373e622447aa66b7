import { Problem } from '../../errors.ts'
import type { Get } from '../../http/inner-requests.ts'
import type { ParsedRequest } from '../../http/request/message.ts'
import { accepts, JSON_TYPE, notAcceptable } from '../../http/request/negotiation.ts'
import type { PreparedResponse } from '../../http/response/prepared-response.ts'
import type { Router } from '../../http/routing/router.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { answer, failure } from './answer.ts'
import type { Arguments } from './arguments.ts'
import type { Tool } from './tool.ts'
import { createTools } from './tools/tools.ts'

/** The path of the Model Context Protocol. */
export const MCP_PATH = '/mcp'

const INSTRUCTIONS =
  'Public datasets of an island, read-only. Every answer names publisher, licence, attribution, the time of publication and the address of the same question in the API: cite them. Where `about.synthetic` is true the data is invented.'

export interface McpOptions {
  readonly catalogue: Catalogue
  readonly title: string
  /** The public base address, without a trailing slash; read at each use. */
  readonly baseUrl: () => string
  /** Asks the service's own endpoints. */
  readonly get: Get
  readonly toProblem: (error: unknown) => Problem
}

/** Adds the Model Context Protocol, by which agents call tools: each asks the endpoints that everyone has. */
export function addMcp(router: Router, options: McpOptions): void {
  const { title } = options
  const tools = createTools(router.routes, options.catalogue.names)
  router.add({
    path: MCP_PATH,
    accepts: { mediaType: JSON_TYPE, maxBytes: 65_536 },
    async handle(request) {
      const { headers, body } = request
      if (!accepts(headers.accept, JSON_TYPE)) throw notAcceptable([JSON_TYPE])
      const message = parse(body ?? Buffer.alloc(0))
      if (message instanceof Problem) return rejection(-32_700, message.message)
      if (Array.isArray(message)) return rejection(-32_600, 'Invalid Request: send one message, not a batch.')
      // Loaded by the first message: nobody who has no agents waits for it, or needs the memory.
      const { answerMessage } = await import('./protocol.ts')
      const call = (tool: Tool, sent: Arguments) => callTool(tool, sent, request, options)
      const box = { title, instructions: INSTRUCTIONS, tools, call }
      return prepared(await answerMessage(webRequest(request), message, box))
    },
  })
}

async function callTool(
  tool: Tool,
  sent: Arguments,
  request: ParsedRequest,
  { catalogue, baseUrl, get, toProblem }: McpOptions,
) {
  const urls: string[] = []
  let isSynthetic = false
  try {
    const found = await tool.call(sent, async path => {
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

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return new Problem('BAD_REQUEST', 'Parse error: the body is not JSON in UTF-8.')
  }
}

/** The request for the SDK, which wants both media types named and has one message in one answer all the same. */
function webRequest({ headers }: ParsedRequest): Request {
  const version = headers['mcp-protocol-version']
  return new Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers: {
      'content-type': JSON_TYPE,
      accept: `${JSON_TYPE}, text/event-stream`,
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    },
  })
}

async function prepared(response: Response): Promise<PreparedResponse> {
  return respond(response.status, Buffer.from(await response.arrayBuffer()))
}

/** The answer to what is no message of JSON-RPC 2.0. */
const rejection = (code: number, message: string): PreparedResponse =>
  respond(400, Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })))

const respond = (status: number, body: Buffer): PreparedResponse => ({
  status,
  headers: [
    ...(body.length === 0 ? [] : ['content-type', JSON_TYPE]),
    ...['content-length', String(body.length), 'cache-control', 'no-store'],
  ],
  body,
})
