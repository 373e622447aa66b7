import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from '../load/answer.ts'

/*
 * The yardstick, run as a process of its own: a `node:http` server that writes one ready answer to every request, whatever
 * is asked. Less than this no service on `node:http` can do. The bench tells it over IPC what to answer.
 */

let { status, headers, body }: Answer = { status: 404, headers: [], body: Buffer.alloc(0) }
let sent: string[] = []

const server = createServer((_request, response) => {
  response.writeHead(status, sent)
  response.end(body)
})
// Node tells it in the header Keep-Alive, so it is the service's own.
server.keepAliveTimeout = 5000

process.on('message', (answer: Answer) => {
  ;({ status, headers, body } = answer)
  sent = [...headers]
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
