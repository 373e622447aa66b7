import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Part } from '../../limits/allowances.ts'
import type { SourceStatus } from '../../releases/schedule/follow-sources.ts'
import type { Message } from '../../store/coordination.ts'
import type { DatasetJournal } from '../journal-page.ts'
import type { Readiness } from '../readiness.ts'

/** The environment variable by which the primary names the folder for bulk files to its workers. */
export const FILES_FOLDER = 'PDS_WORKERS_FOLDER'

/** The answers of a worker to the questions of the primary. */
export interface Answers {
  readonly readiness: Readiness
  readonly sources: readonly SourceStatus[]
  readonly journals: readonly DatasetJournal[]
  readonly metrics: readonly MetricObjectWithValues<MetricValue<string>>[]
}

/** A message about the feed, with the time of its publication, milliseconds since 1970 UTC. */
export interface FeedMessage extends Omit<Message, 'ageMs'> {
  readonly publishedAt: number
}

/** The messages of a worker to the primary. */
export type FromWorker =
  /** It reads messages from now on: earlier ones are lost. */
  | { readonly kind: 'joined' }
  | { readonly kind: 'ready'; readonly url: string; readonly memoryBytes: number }
  | { readonly kind: 'feed'; readonly message: FeedMessage }
  | { readonly kind: 'take'; readonly client: string; readonly allowed: number; readonly windowMs: number }
  | { readonly kind: 'give back'; readonly parts: readonly (readonly [client: string, part: Part])[] }
  /** It ends, and waits for the other workers that end. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: Answers[keyof Answers] }

/** The messages of the primary to a worker. */
export type ToWorker =
  /** The worker is the one that polls the feed. */
  | { readonly kind: 'lead' }
  | { readonly kind: 'feed'; readonly message: FeedMessage }
  | { readonly kind: 'part'; readonly client: string; readonly part: Part }
  | { readonly kind: 'question'; readonly question: number; readonly about: keyof Answers }
  /** The worker finishes the requests in flight and ends. */
  | { readonly kind: 'stop'; readonly patient: boolean }
  /** All workers that end wait: each goes on. */
  | { readonly kind: 'go on' }
