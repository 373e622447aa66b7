import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Listens on a free port of this machine, does with each connection as told, and closes with the test. */
export async function listenRaw(t: TestContext, onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  // Half-open: what the other side has ended stays open here until this side ends it as well.
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await listen(server)
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return address(server)
}

/** Sends this as soon as the first bytes of a request are there, and nothing more; the connection stays open. */
export const sends = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text))

/** Sends this and then FIN, and goes on listening. */
export const sendsAndEnds = (text: string) => (socket: Socket) =>
  void socket.once('data', () => socket.end(text))

/** Notes the first byte that is sent, and ends the connection. */
export const notesFirstByte = (noted: (number | undefined)[]) => (socket: Socket) =>
  void socket.once('data', data => {
    noted.push(data[0])
    socket.destroy()
  })

/** Sends this and then the same block over and over, as fast as it is taken. */
export const floods = (text: string, block: string) => (socket: Socket) => {
  const more = () => {
    while (socket.writable && socket.write(block));
    socket.once('drain', more)
  }
  socket.once('data', () => socket.write(text, more))
}

/** A port whose queue of connections is full, so that connecting to it hangs. */
export async function deafPort(t: TestContext): Promise<string> {
  // Stopped as soon as it listens, it accepts nothing.
  const script = `
    const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () => {
      require('node:fs').writeSync(1, String(server.address().port))
      process.kill(process.pid, 'SIGSTOP')
    })`
  const child = spawn(process.execPath, ['-e', script])
  const fillers: Socket[] = []
  t.after(async () => {
    for (const filler of fillers) filler.destroy()
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  const [port] = await once(child.stdout, 'data')
  for (let count = 0; count < 4; count++)
    fillers.push(connect(Number(port), '127.0.0.1').on('error', () => {}))
  await Promise.all(fillers.slice(0, 2).map(filler => once(filler, 'connect')))
  return `http://127.0.0.1:${port}/feed`
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

const address = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`
