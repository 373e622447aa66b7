import { setTimeout as pause } from 'node:timers/promises'
import type { Instances, News, Standing } from '../../src/store/instances.ts'

/** What instances share, in memory. */
export interface MadeUpBoard {
  /** One more instance; `reach` says how it comes to the board. */
  join(): JoinedInstance
  /** Leaves word in the name of whoever. */
  write(text: string): void
  /** The last word. */
  read(): string | undefined
}

export interface JoinedInstance extends Instances {
  /** `away`: whatever is asked fails; `silent`: it is answered when that is over. */
  reach: 'there' | 'away' | 'silent'
}

/** Makes a board on which nothing was written. */
export function madeUpBoard(): MadeUpBoard {
  const listeners = new Set<(about: News) => void>()
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
      const standing = (): Standing => ({ leading: isLeading(), led: until > now(), number })
      async function reached<T>(work: () => T): Promise<T> {
        while (instance.reach === 'silent') await pause(5)
        if (instance.reach === 'away') throw new Error('away')
        return work()
      }
      const instance: JoinedInstance = {
        reach: 'there',
        hears: () => instance.reach === 'there',
        onNews(listener) {
          const heard = (about: News) => {
            if (instance.reach === 'there') listener(about)
          }
          listeners.add(heard)
          return () => void listeners.delete(heard)
        },
        look: () => reached(standing),
        lead: forMs =>
          reached(() => {
            if (holder === own || until <= now()) {
              holder = own
              until = now() + forMs
            }
            return standing()
          }),
        resign: () =>
          reached(() => {
            if (holder !== own) return
            until = Number.NEGATIVE_INFINITY
            tellAll()
          }),
        tell: text =>
          reached(() => {
            if (!isLeading()) return undefined
            write(text)
            return number
          }),
        told: () => reached(() => word && { text: word.text, number, ageMs: now() - word.at }),
      }
      return instance
    },
  }
}
