import type { Problem } from '../../errors.ts'
import type { Get } from '../../http/inner-requests.ts'
import type { ParsedRequest } from '../../http/request/message.ts'
import { JSON_TYPE, requireAcceptable } from '../../http/request/negotiation.ts'
import { invalidParameters } from '../../http/request/parameters.ts'
import type { PreparedResponse } from '../../http/response/prepared-response.ts'
import type { Router } from '../../http/routing/router.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import type { MaybePromise } from '../../values/promises.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Answer, answer, failure, rejection } from './answer.ts'
import { type Arguments, callTool, type Tool } from './tool.ts'
import { createTools } from './tools.ts'

/** The path of the Model Context Protocol. */
export const MCP_PATH = '/mcp'

const INSTRUCTIONS =
  'Public datasets of an island, read-only. Every answer names publisher, licence, attribution, the time of publication and the address of the same question in the API: cite them. Where `about.synthetic` is true the data is invented.'

/** More than any honest message has: `params` and `arguments` are two of the levels. */
const MAX_VALUES = 100
const MAX_LEVELS = 7
const ALLOWED = `at most ${MAX_VALUES} values, nested at most ${MAX_LEVELS} levels deep`

const TOO_LARGE = invalidParameters([
  { parameter: 'arguments', detail: `are too many: a message may have ${ALLOWED}`, allowed: ALLOWED },
])

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
  const { title, catalogue } = options
  const tools = createTools(router.routes, catalogue.names)
  const version = () => String(catalogue.entries().map(({ release }) => release))
  /** Loaded by the first message: nobody who has no agents waits for it, or needs the memory. */
  const load = async () => {
    const { createProtocol } = await import('./protocol.ts')
    return createProtocol({ title, instructions: INSTRUCTIONS, tools, version })
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
      const read = (): MaybePromise<Answer> => {
        const message = parse(request.body ?? Buffer.alloc(0))
        if (message === undefined) return rejection(-32_700, 'Parse error: the body is not JSON in UTF-8.')
        if (Array.isArray(message))
          return rejection(-32_600, 'Invalid Request: send one message, not a batch.')
        if (countValues(message, MAX_LEVELS) > MAX_VALUES) throw TOO_LARGE
        const version = request.headers['mcp-protocol-version']
        const call = (tool: Tool, sent: Arguments) => answerCall(tool, sent, request, options)
        return answerMessage({ message, version, call })
      }
      // In an object, so that this work ends before the tool's own requests, which wait for room too.
      const { answered } = await router.shared.shedder.run(request.client(), () => ({ answered: read() }))
      return respond(await answered)
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

/** Counts the values in a message, until they are too many; infinitely many where it is nested deeper. */
function countValues(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = levels === 0 ? Number.POSITIVE_INFINITY : 1
  for (const member of Object.values(value)) {
    if (count > MAX_VALUES) break
    count += countValues(member, levels - 1)
  }
  return count
}

/** The message; undefined where the body is no JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function respond({ status, message }: Answer): PreparedResponse {
  const body = Buffer.from(message === undefined ? '' : JSON.stringify(message))
  return {
    status,
    headers: [
      ...(body.length === 0 ? [] : ['content-type', JSON_TYPE]),
      ...['content-length', String(body.length), 'cache-control', 'no-store'],
    ],
    body,
  }
}
