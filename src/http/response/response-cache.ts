import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import { type Sendable, sendable } from './outcome.ts'
import type { Representation } from './representation.ts'

/** Answers kept for those who ask the same again, in so many bytes; what was longest unasked goes first. */
export interface Answers {
  /** The answer kept under a key, if it would come out the same today. */
  find(key: string): Sendable | undefined
  /**
   * The answer kept under the key, or else a new one. Who asks while it is being made gets the same one. `version`
   * tells by identity (`===`) what answers depend on: an answer is good as long as it gives the same.
   */
  obtain(key: string, version: () => unknown, make: MakeAnswer): MaybePromise<Sendable>
  /** Keeps an answer under a further key. */
  alias(key: string, from: string): void
}

export type MakeAnswer = () => MaybePromise<Representation>

interface Kept {
  readonly answer: Sendable
  isCurrent(): boolean
}

/** What an answer takes besides its body: its headers in each form, its keys, the objects round them. */
const OVERHEAD_BYTES = 4096

/** Keeps answers in so many bytes; 0 keeps none, and still makes none twice at once. */
export function createAnswers({ maxBytes }: { maxBytes: number }): Answers {
  const kept = maxBytes > 0 ? new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation }) : undefined
  const underWay = new Map<string, { version: unknown; answer: Promise<Sendable> }>()

  function current(key: string): Kept | undefined {
    const found = kept?.get(key)
    return found?.isCurrent() ? found : undefined
  }

  return {
    find: key => current(key)?.answer,
    obtain(key, version, make) {
      const found = current(key)
      if (found !== undefined) return found.answer
      const made = version()
      const keep = (representation: Representation): Sendable => {
        const answer = sendable(representation)
        kept?.set(key, { answer, isCurrent: () => version() === made })
        return answer
      }
      const running = underWay.get(key)
      if (running !== undefined && running.version === made) return running.answer
      const making = make()
      if (!(making instanceof Promise)) return keep(making)
      const answer = making.then(keep)
      const entry = { version: made, answer }
      underWay.set(key, entry)
      const forget = () => {
        if (underWay.get(key) === entry) underWay.delete(key)
      }
      answer.then(forget, forget)
      return answer
    },
    alias(key, from) {
      const found = key === from ? undefined : kept?.peek(from)
      if (found !== undefined) kept?.set(key, found)
    },
  }
}

/** The body twice: its gzip and brotli forms together are smaller than it is. */
function sizeCalculation({ answer }: Kept, key: string): number {
  return answer.length * 2 + key.length + OVERHEAD_BYTES
}
