import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from '../load/answer.ts'

/*
 * The baseline, in a separate process: a `node:http` server that writes the same ready answer to every request. No service on
 * `node:http` can do less. The bench sends it the answer over IPC.
 */

let { status, headers, body }: Answer = { status: 404, headers: [], body: Buffer.alloc(0) }
let sent: string[] = []

const server = createServer((_request, response) => {
  response.writeHead(status, sent)
  response.end(body)
})
// The same as the service's, because Node writes this time into the header Keep-Alive.
server.keepAliveTimeout = 5000

process.on('message', (answer: Answer) => {
  ;({ status, headers, body } = answer)
  sent = [...headers]
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
