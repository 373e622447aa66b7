import { setTimeout as pause } from 'node:timers/promises'
import type { Coordination, LeaseStatus, Topic } from '../../src/store/coordination.ts'

/** What instances share, in memory. */
export interface MadeUpBoard {
  /** One more instance; `reach` says how it comes to the board. */
  join(): JoinedInstance
  /** Leaves word in the name of whoever. */
  write(text: string): void
  /** The last word. */
  read(): string | undefined
}

export interface JoinedInstance extends Coordination {
  /** `away`: whatever is asked fails; `silent`: it is answered when that is over. */
  reach: 'there' | 'away' | 'silent'
}

/** Makes a board on which nothing was written. */
export function madeUpBoard(): MadeUpBoard {
  const listeners = new Set<(about: Topic) => void>()
  let holder: object | undefined
  let until = Number.NEGATIVE_INFINITY
  let number = 0
  let word: { text: string; at: number } | undefined

  const now = () => performance.now()
  const tellAll = () => {
    for (const listener of listeners) listener('live')
  }
  function write(text: string): void {
    word = { text, at: now() }
    number++
    tellAll()
  }

  return {
    write,
    read: () => word?.text,
    join() {
      const own = {}
      const isLeading = () => holder === own && until > now()
      const standing = (): LeaseStatus => ({ leading: isLeading(), led: until > now(), number })
      async function reached<T>(work: () => T): Promise<T> {
        while (instance.reach === 'silent') await pause(5)
        if (instance.reach === 'away') throw new Error('away')
        return work()
      }
      const instance: JoinedInstance = {
        reach: 'there',
        isConnected: () => instance.reach === 'there',
        subscribe(listener) {
          const heard = (about: Topic) => {
            if (instance.reach === 'there') listener(about)
          }
          listeners.add(heard)
          return () => void listeners.delete(heard)
        },
        leaseStatus: () => reached(standing),
        acquireLease: (_lease, forMs) =>
          reached(() => {
            if (holder === own || until <= now()) {
              holder = own
              until = now() + forMs
            }
            return standing()
          }),
        releaseLease: () =>
          reached(() => {
            if (holder !== own) return
            until = Number.NEGATIVE_INFINITY
            tellAll()
          }),
        publish: text =>
          reached(() => {
            if (!isLeading()) return undefined
            write(text)
            return number
          }),
        latestMessage: () => reached(() => word && { text: word.text, number, ageMs: now() - word.at }),
      }
      return instance
    },
  }
}
