import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { LiveNow } from '../../src/parking/live-schema.ts'
import type { LiveQuality } from '../../src/parking/quality/quality.ts'
import type { ParkingService } from '../../src/parking/service.ts'
import { until } from './until.ts'

/** An event as a browser's EventSource would give it. */
export interface ReceivedEvent {
  readonly event: string
  readonly data: string
  /** The last id that the stream has told. */
  readonly id: string
}

/** What has come of a stream: a parser of it as the HTML living standard has it (9.2.6), with all that tests look at. */
export function readEvents() {
  const events: ReceivedEvent[] = []
  const comments: string[] = []
  let rest = ''
  let id = ''
  let retry: number | undefined
  let fields = { event: 'message', data: [] as string[] }

  function line(text: string): void {
    if (text === '') {
      if (fields.data.length > 0) events.push({ event: fields.event, data: fields.data.join('\n'), id })
      fields = { event: 'message', data: [] }
      return
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(text) ?? []
    if (name === '') comments.push(value)
    else if (name === 'event') fields.event = value
    else if (name === 'data') fields.data.push(value)
    else if (name === 'id') id = value
    else if (name === 'retry') retry = Number(value)
    else throw new Error(`an unknown field: ${text}`)
  }

  return {
    events,
    comments,
    retry: () => retry,
    take(text: string): void {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) line(text)
    },
  }
}

/** A client of a stream over a connection of its own. */
export interface StreamClient {
  readonly status: number
  /** The head of the answer. */
  readonly head: string
  readonly events: readonly ReceivedEvent[]
  readonly comments: readonly string[]
  readonly retry: () => number | undefined
  /** Called with each event that comes from now on. */
  onEvent: (event: ReceivedEvent) => void
  /** How the connection ended: cleanly, or with an error. */
  readonly ended: Promise<'cleanly' | string>
  /** Reads no more, so that what is sent piles up. */
  stopReading(): void
  close(): void
}

/** Opens a stream and waits for the first that comes of it. The connection, from `localAddress`, goes with the test. */
export async function openStream(
  t: TestContext,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  localAddress?: string,
): Promise<StreamClient> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
  t.after(() => socket.destroy())
  const read = readEvents()
  let head = ''
  let told = 0
  const ended = new Promise<string>(resolve => {
    let how = 'cleanly'
    socket.on('error', error => {
      how = (error as NodeJS.ErrnoException).code ?? String(error)
    })
    socket.on('close', () => resolve(how))
  })
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    if (!head.includes('\r\n\r\n')) {
      head += text
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      text = head.slice(end + 4)
      head = head.slice(0, end + 4)
    }
    read.take(text)
    while (told < read.events.length) client.onEvent(read.events[told++] as ReceivedEvent)
  })
  await once(socket, 'connect')
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const client: StreamClient = {
    get status() {
      return Number(head.split(' ', 2)[1])
    },
    get head() {
      return head
    },
    ...{ events: read.events, comments: read.comments, retry: read.retry, ended },
    onEvent: () => {},
    stopReading: () => socket.pause(),
    close: () => socket.destroy(),
  }
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await until(() => isOver || read.events.length + read.comments.length > 0, 'the first of the stream')
  return client
}

/**
 * Opens so many streams, not all at once: the queue of new connections is short. Each is of another client, to a service that
 * trusts 127.0.0.1 as a proxy.
 */
export async function openStreams(t: TestContext, url: string, count: number): Promise<StreamClient[]> {
  const streams: StreamClient[] = []
  while (streams.length < count) {
    const some = Array.from({ length: Math.min(50, count - streams.length) }, (_, index) => {
      const client = streams.length + index
      return openStream(t, url, { 'x-forwarded-for': `10.0.${client >> 8}.${client & 255}` })
    })
    streams.push(...(await Promise.all(some)))
  }
  return streams
}

/** What is known live, as a test tells it; undefined at first where it gives nothing. */
export function toldEvents(
  first?: LiveNow,
): Pick<ParkingService, 'current' | 'subscribe'> & { tell(now: LiveNow): void } {
  const listeners = new Set<() => void>()
  let now = first
  return {
    current: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(next) {
      now = next
      for (const listener of listeners) listener()
    },
  }
}

/** What is known at so many seconds past twelve: free spaces by code, and the quality of those that are not good. */
export function knownAt(
  second: number,
  spaces: Readonly<Record<string, number>>,
  qualities: Readonly<Record<string, LiveQuality['quality']>> = {},
): LiveNow {
  const timestamp = new Date(Date.UTC(2024, 1, 4, 12, 0, second)).toISOString()
  const results = Object.entries(spaces).map(([code, spaces]) => {
    const quality = qualities[code] ?? 'good'
    const reason = quality === 'good' ? null : 'test'
    const detail = reason && 'so-the-test-says'
    return {
      ...{ name: `Car park ${code}`, code, spaces, status: 'good', open: true },
      ...{ quality, reason, detail, observedAt: timestamp, changedAt: null, trend: null },
    }
  })
  return { timestamp, results }
}
