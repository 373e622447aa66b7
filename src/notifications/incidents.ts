import type { Incidents } from '../store/store.ts'
import { endOf, type Finding, incidentKey, type Notification } from './notification.ts'
import type { Delivery, Notifier } from './notifier.ts'

/** Tells the operator what findings say. Never rejects. */
export type TellFindings = (findings: readonly Finding[]) => Promise<void>

/**
 * Returns the function that tells each incident once, and its end once, whichever instance finds it and however often that
 * restarts: the store has what was delivered. While the store cannot be read or written, this process remembers it.
 */
export function tellIncidents(store: Incidents, notifier: Notifier): TellFindings {
  /** Notifications by key that wait to be delivered; those that were given up too, while their incidents last. */
  const waiting = new Map<string, Notification>()
  /** The incidents that have been told, as last read. */
  let stored = new Map<string, Notification>()
  /** The incident that a waiting notification ends, by its key: refusals for several reasons have one end. */
  const ending = new Map<string, string>()
  /** Incidents told, and those that are over (null), that are not in the store yet. */
  const unsaved = new Map<string, Notification | null>()

  async function readTold(): Promise<ReadonlyMap<string, Notification>> {
    try {
      for (const [key, incident] of unsaved) {
        await (incident === null ? store.remove(key) : store.save({ key, ...incident }))
        if (unsaved.get(key) === incident) unsaved.delete(key)
      }
      stored = new Map((await store.list()).map(({ key, ...incident }) => [key, incident as Notification]))
    } catch {
      // Whoever watches the store says so.
    }
    const told = [...stored, ...unsaved].filter(([key]) => unsaved.get(key) !== null)
    return new Map(told as [string, Notification][])
  }

  async function record(key: string, incident: Notification | null): Promise<void> {
    unsaved.set(key, incident)
    await readTold()
  }

  function tell(notification: Notification, { isNews, onSettled }: Delivery): void {
    const key = incidentKey(notification)
    if (waiting.has(key)) return
    waiting.set(key, notification)
    notifier.notify(notification, {
      async isNews() {
        const answer = await isNews()
        if (!answer) waiting.delete(key)
        return answer
      },
      onSettled,
    })
  }

  function begin(incident: Notification): void {
    const key = incidentKey(incident)
    tell(incident, {
      isNews: async () => !(await readTold()).has(key),
      async onSettled(outcome) {
        if (outcome === 'lost') return
        await record(key, incident)
        waiting.delete(key)
      },
    })
  }

  async function end(key: string, incident: Notification): Promise<void> {
    const over = endOf(incident)
    if (over === undefined) return record(key, null)
    const overKey = incidentKey(over)
    if (waiting.has(overKey) && ending.get(overKey) !== key) return record(key, null)
    ending.set(overKey, key)
    tell(over, {
      isNews: async () => (await readTold()).has(key),
      async onSettled() {
        await record(key, null)
        waiting.delete(overKey)
      },
    })
  }

  return async findings => {
    const told = await readTold()
    for (const { lasting, isOver } of findings) {
      for (const [key, notification] of waiting) if (isOver(notification)) waiting.delete(key)
      for (const incident of lasting) if (!told.has(incidentKey(incident))) begin(incident)
      for (const [key, incident] of told) if (isOver(incident)) await end(key, incident)
    }
  }
}
