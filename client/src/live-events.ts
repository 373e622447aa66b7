import { createEventParser } from './event-parser.ts'
import { ProblemError } from './problem-error.ts'
import { delayMs, isPassing, type Wait } from './retry.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']

/** All live spaces, or the changed ones: replace the car parks with the same code. */
export type LiveEvent = { readonly id: string } & (
  | { readonly event: 'snapshot'; readonly data: Schemas['LiveSnapshot'] }
  | { readonly event: 'change'; readonly data: Schemas['LiveChange'] }
)

export interface LiveEventsOptions {
  readonly url: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly wait: Wait
  readonly signal: AbortSignal | undefined
  /** A connection that is silent for this long is dead: the service sends a comment every 15 seconds. */
  readonly silenceMs: number
}

/** Gives each event and reconnects when the stream breaks, until the signal is aborted or the service refuses permanently. */
export async function* followLiveEvents(options: LiveEventsOptions): AsyncGenerator<LiveEvent, void> {
  const { wait, signal } = options
  let lastId = ''
  for (let failures = 0; signal?.aborted !== true; failures++) {
    let retryMs: number | undefined
    let failure: unknown
    try {
      for await (const event of readOnce(options, lastId, ms => {
        retryMs = ms
      })) {
        lastId = event.id
        failures = 0
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
      failure = error
    }
    await wait(Math.max(retryMs ?? 0, delayMs(failure, failures)), signal).catch(() => {})
  }
}

/** Gives the events of one connection. */
async function* readOnce(
  { url, fetch, signal, silenceMs }: LiveEventsOptions,
  lastId: string,
  onRetryMs: (ms: number | undefined) => void,
): AsyncGenerator<LiveEvent, void> {
  const connection = new AbortController()
  const die = () => connection.abort(new TypeError('the stream is silent'))
  let timer = setTimeout(die, silenceMs)
  try {
    const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
    const signals = AbortSignal.any([connection.signal, ...(signal ? [signal] : [])])
    const response = await fetch(new Request(url, { headers, signal: signals }))
    if (!response.ok || response.body === null)
      throw new ProblemError(response, await response.json().catch(() => undefined))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    const parser = createEventParser()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(die, silenceMs)
      const events = parser.take(next.value)
      onRetryMs(parser.retryMs)
      for (const { event, data, id } of events)
        if (event === 'snapshot' || event === 'change') yield { event, id, data: JSON.parse(data) }
    }
  } catch (error) {
    // Some browsers do not reject with the signal's reason.
    throw connection.signal.aborted ? connection.signal.reason : error
  } finally {
    clearTimeout(timer)
    connection.abort()
  }
}
