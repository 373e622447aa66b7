#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const USAGE = 'usage: pds-mcp <address of the service>, such as https://data.example (or set PDS_URL)'
const TIMEOUT_MS = 60_000

/** Ends the program with one line for people, on stderr: stdout belongs to the protocol. */
function end(message, status) {
  process.stderr.write(`pds-mcp: ${message.replaceAll(/\s+/g, ' ')}\n`)
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

const url = addressOf(process.argv.slice(2))

/** Passes a message on to the service and returns its answer; undefined for a notification, which has none. */
async function ask(message) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}, ${body.slice(0, 1000)}`)
  return body === '' ? undefined : JSON.parse(body)
}

/** Why the service could not be reached; fetch hides the reason in the cause. */
const reasonOf = error => error.cause?.message || error.cause?.code || error.message

try {
  const { result } = await ask({ jsonrpc: '2.0', id: 0, method: 'ping' })
  if (result === undefined) throw new Error('it speaks another protocol')
} catch (error) {
  end(`${url} does not answer: ${reasonOf(error)}. Is it the address of a Public Data Service?`, 1)
}

const agent = new StdioServerTransport()
agent.onmessage = async message => {
  const answer = await ask(message).catch(error =>
    failure(message, `${url} did not answer: ${reasonOf(error)}`),
  )
  if (answer !== undefined) await agent.send(answer)
}
// The agent closes stdin when it has finished.
process.stdin.once('end', () => process.exit(0))
await agent.start()

/** The answer to a message that the service did not take. Agents show the failure of a tool to their model. */
function failure({ id, method }, text) {
  if (id === undefined || method === undefined) return undefined
  const isCall = method === 'tools/call'
  const outcome = isCall
    ? { result: { isError: true, content: [{ type: 'text', text }] } }
    : { error: { code: -32_603, message: text } }
  return { jsonrpc: '2.0', id, ...outcome }
}
