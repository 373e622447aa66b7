import type { Incidents } from '../store/store.ts'
import { endOf, type Finding, incidentKey, type Notification } from './notification.ts'
import type { Delivery, Notifier } from './notifier.ts'

/** Notifies the operator of findings. Never rejects. */
export type TellFindings = (findings: readonly Finding[]) => Promise<void>

/**
 * Returns a function that notifies the operator once of each incident and once of its end. The store records deliveries, so a
 * notification is not repeated by another instance or after a restart. While the store fails, this process remembers them.
 */
export function tellIncidents(store: Incidents, notifier: Notifier): TellFindings {
  /** Notifications by key that wait for delivery. A lost one stays until its incident is over, and is not sent again. */
  const waiting = new Map<string, Notification>()
  /** The incidents of which the operator was notified, as last read from the store. */
  let stored = new Map<string, Notification>()
  /** Keys of incidents by the key of the waiting notification of their end. Refusals for several reasons share one end. */
  const ending = new Map<string, string>()
  /** Changes that are not in the store yet: a delivered incident, or null for an incident that is over. */
  const unsaved = new Map<string, Notification | null>()

  async function readTold(): Promise<ReadonlyMap<string, Notification>> {
    try {
      for (const [key, incident] of unsaved) {
        await (incident === null ? store.remove(key) : store.save({ key, ...incident }))
        if (unsaved.get(key) === incident) unsaved.delete(key)
      }
      stored = new Map((await store.list()).map(({ key, ...incident }) => [key, incident as Notification]))
    } catch {
      // The health of the store reports this failure.
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
