import { createHash } from 'node:crypto'
import Type, { type Static, type TProperties } from 'typebox'

const time = (description: string) => Type.String({ format: 'date-time', description })

const dataset = Type.String({ description: 'Name of the dataset.' })
const source = Type.String({ description: 'The file or address, without secrets.' })
const reason = Type.String({ description: 'Why and what to do, in a sentence.' })
const notes = Type.Unsafe<readonly string[]>({
  type: 'array',
  items: { type: 'string' },
  description: 'The first rows, columns and places that it is about, a sentence each.',
})
const failingSince = time('Time of the first failure in a row.')

const notification = <T extends string, P extends TProperties>(type: T, description: string, data: P) =>
  Type.Object({ type: Type.Literal(type), data: Type.Object(data) }, { description })

/** All kinds of notifications. Types and docs follow from these schemas. */
export const NOTIFICATIONS = [
  notification('import.refused', 'An import was refused; the current release is still served.', {
    dataset,
    source,
    reason,
    notes,
  }),
  notification('import.recovered', 'A source that was refused gives what can be published again.', {
    dataset,
    source,
  }),
  notification('import.doubtful', 'A source was published, and somebody should look at the release.', {
    dataset,
    source,
    release: Type.Integer({ description: 'Number of the release.' }),
    notes,
  }),
  notification('source.failing', 'A source could not be read for NOTIFY_AFTER_H hours.', {
    dataset,
    source,
    since: failingSince,
    reason,
  }),
  notification('source.recovered', 'A failing source can be read again.', {
    dataset,
    source,
    since: failingSince,
  }),
  notification('feed.unavailable', 'The live feed has failed for a quarter of an hour.', {
    since: failingSince,
    reason,
  }),
  notification('feed.recovered', 'The live feed works again.', { since: failingSince }),
  notification('release.damaged', 'The current release of a dataset is damaged and not served.', {
    dataset,
    release: Type.Integer({ description: 'Number of the damaged release.' }),
    hash: Type.String({ description: 'Its hash.' }),
    serving: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of the older release that is served instead; null where none is.',
    }),
  }),
  notification('disk.nearly-full', "The disk of the store's folder is nearly full.", {
    folder: Type.String({ description: "The store's folder." }),
    since: time('When it was first seen to be nearly full.'),
    freeBytes: Type.Integer({ description: 'Bytes that the service may still write.' }),
    totalBytes: Type.Integer({ description: 'Size of the disk in bytes.' }),
  }),
  notification('notification.test', 'Sent by `pds notify --test`: nothing has happened.', {}),
] as const

export type Notification = Static<(typeof NOTIFICATIONS)[number]>

/** The state of one subject, such as a source or the disk. */
export interface Finding {
  /** The subject's incidents that last. */
  readonly lasting: readonly Notification[]
  /** Whether an incident belongs to the subject and is over. */
  isOver(incident: Notification): boolean
}

/**
 * Identifies an incident for as long as it lasts. The start time is not a part of the key: if the incident is not in the
 * store, a restarted process takes another time.
 */
export function incidentKey({ type, data }: Notification): string {
  const { dataset, source, release, folder, reason }: Partial<Record<string, unknown>> = data
  return digest([type, dataset, source, release, folder, type === 'import.refused' ? reason : undefined])
}

/** The notification that an incident is over; undefined for types of incidents without one. */
export function endOf({ type, data }: Notification): Notification | undefined {
  if (type === 'feed.unavailable') return { type: 'feed.recovered', data: { since: data.since } }
  if (type === 'import.refused')
    return { type: 'import.recovered', data: { dataset: data.dataset, source: data.source } }
  if (type !== 'source.failing') return undefined
  const { dataset, source, since } = data
  return { type: 'source.recovered', data: { dataset, source, since } }
}

/** The webhook message of a notification. */
export function createMessage(notification: Notification, now: Date): { id: string; body: string } {
  const { type, data } = notification
  const timestamp = now.toISOString()
  return { id: incidentId(notification, timestamp), body: JSON.stringify({ type, timestamp, data }) }
}

/**
 * The id of a notification, made from its type, its subject and the incident's start, hash or release. Receivers recognise a
 * repetition by it, also from another instance or after a restart. Without any of the three, the id has the current time.
 */
function incidentId({ type, data }: Notification, timestamp: string): string {
  const { dataset, source, since, hash, release }: Partial<Record<string, unknown>> = data
  return `msg_${digest([type, dataset, source, since ?? hash ?? release ?? timestamp])}`
}

const digest = (parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
