import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import { NUMBERED_PATHS, releaseIn } from './numbered-releases.ts'
import { ask } from './serving.ts'

/** Between an answer and the next question: the clients shall not take all of a small machine. */
const PAUSE_MS = 5

/** Clients that keep asking for numbered releases, on connections that they keep. */
export interface WatchingClients {
  /** The release that every client has had of every address at least; 0 before the first answers. */
  seenByAll(): number
  /** Whether a client has met a wrong answer or none. */
  failed(): boolean
  /** Lets each end what it asks; gives the number of answers. Fails if one was wrong, torn, went back or was missing. */
  stop(): Promise<number>
}

/** Starts so many clients. */
export function startClients(url: string, count: number): WatchingClients {
  const stopping = new AbortController()
  const seen: number[] = []
  const bodies = new Map<string, string>()
  let answers = 0
  let failed = false

  async function client(first: number): Promise<void> {
    const agent = new Agent({ connections: 1 })
    try {
      for (let turn = 0; !stopping.signal.aborted; turn = (turn + 1) % NUMBERED_PATHS.length)
        await question(agent, NUMBERED_PATHS[turn] ?? '', first + turn).then(() => pause(PAUSE_MS))
    } catch (error) {
      failed = true
      throw error
    } finally {
      await agent.destroy()
    }
  }

  async function question(agent: Agent, path: string, place: number): Promise<void> {
    const answer = await ask(agent, url + path)
    const release = releaseIn(path, answer)
    assert.ok(release >= (seen[place] ?? 0), `${path} goes back from release ${seen[place]} to ${release}`)
    const etag = String(answer.headers.etag)
    assert.equal(answer.text, bodies.get(etag) ?? answer.text, `${path}: two bodies have one ETag`)
    bodies.set(etag, answer.text)
    seen[place] = release
    answers++
  }

  const places = count * NUMBERED_PATHS.length
  const clients = Promise.all(
    Array.from({ length: count }, (_, index) => client(index * NUMBERED_PATHS.length)),
  )
  // Told by stop().
  clients.catch(() => {})
  return {
    failed: () => failed,
    seenByAll: () => (seen.filter(() => true).length < places ? 0 : Math.min(...seen)),
    async stop() {
      stopping.abort()
      await clients
      return answers
    },
  }
}
