import { createServer } from 'node:net'

/** Below what any system gives out for connections: a server that starts again finds its port free. */
const FIRST_PORT = 11_000
const PORTS = 21_000

/** A port of 127.0.0.1 on which nothing listens now, and which no connection will be given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (await canListen(port)) return port
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
