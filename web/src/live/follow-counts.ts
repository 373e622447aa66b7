import { followLiveEvents, type LiveEvent } from '../../../client/src/live-events.ts'
import { waitByTimer } from '../../../client/src/retry.ts'
import { to } from '../address.ts'

const STREAM = '/v1/carparks/live-spaces/stream'

/** The service sends a comment every 15 seconds. After two missing comments, the stream is dead. */
const SILENCE_MS = 40_000

interface Followed {
  readonly signal: AbortSignal
  /** Called with the head of each stream. An error ends the stream. */
  readonly onOpen: (response: Response) => void
  readonly onEvent: (event: LiveEvent) => void
  /** Called whenever anything arrives, comments included. */
  readonly onHeard: () => void
  /** Called when a stream breaks or does not start, for example without an answer (`isUnreachable`). Another try follows. */
  readonly onLost: (isUnreachable: boolean) => void
}

/** Follows the stream of live spaces until the signal ends it or the service refuses for good. */
export async function followCounts({ signal, onOpen, onEvent, onHeard, onLost }: Followed): Promise<void> {
  let isUnreachable = false
  const events = followLiveEvents({
    url: new URL(to(STREAM), location.href).href,
    ...{ signal, silenceMs: SILENCE_MS },
    async fetch(request) {
      isUnreachable = true
      const response = await fetch(request)
      isUnreachable = false
      if (!response.ok || response.body === null) return response
      // The login page of a public network.
      if (!/^text\/event-stream/.test(response.headers.get('content-type') ?? ''))
        throw new TypeError('not the stream of live spaces')
      onOpen(response)
      return new Response(response.body.pipeThrough(listening(onHeard)), response)
    },
    wait(ms, ended) {
      if (!signal.aborted) onLost(isUnreachable)
      return waitByTimer(ms, ended)
    },
  })
  try {
    for await (const event of events) if (!signal.aborted) onEvent(event)
  } catch {
    onLost(isUnreachable)
  }
}

/** Lets everything pass, and calls back for each chunk. */
const listening = (onHeard: () => void) =>
  new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onHeard()
      controller.enqueue(chunk)
    },
  })
