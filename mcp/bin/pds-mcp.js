#!/usr/bin/env node
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const USAGE = 'usage: pds-mcp <address of the service>, such as https://data.example (or set PDS_URL)'
const VERSION = '0.1.0'

/** Ends the program with one line for people, on stderr: stdout belongs to the protocol. */
function end(message, status) {
  process.stderr.write(`pds-mcp: ${message}\n`)
  process.exit(status)
}

/** The address of the service's tools. */
function addressOf([address = process.env.PDS_URL, ...others]) {
  if (address === undefined || others.length > 0) return end(USAGE, 2)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!/^https?:$/.test(url?.protocol ?? '')) return end(`"${address}" is no http(s) address; ${USAGE}`, 2)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/mcp`
  return url
}

/** Why the service could not be reached; fetch hides the reason in the cause. */
const reasonOf = error => error.cause?.message || error.cause?.code || error.message

const url = addressOf(process.argv.slice(2))
const service = new Client({ name: 'pds-mcp', version: VERSION })
try {
  await service.connect(new StreamableHTTPClientTransport(url))
} catch (error) {
  end(`${url} does not answer: ${reasonOf(error)}. Is it the address of a Public Data Service?`, 1)
}

const server = new Server(service.getServerVersion() ?? { name: 'pds-mcp', version: VERSION }, {
  capabilities: { tools: {} },
  instructions: service.getInstructions() ?? '',
})
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => service.listTools(params))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  try {
    return await service.callTool(params)
  } catch (error) {
    const text = `${url} did not answer: ${reasonOf(error)}`
    return { isError: true, content: [{ type: 'text', text }] }
  }
})
// The agent closes stdin when it has finished.
process.stdin.once('end', () => process.exit(0))
await server.connect(new StdioServerTransport())
