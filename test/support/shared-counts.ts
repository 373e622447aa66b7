import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { createSharedCounts, type SharedCounts } from '../../src/limits/shared-counts.ts'

/** What one instance counts with. */
export interface CountingInstance extends SharedCounts {
  /** The events that it logged, in turn. */
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

/**
 * Starts what one instance counts with; it ends with the test. It is more patient than the service, because a machine that
 * runs many tests may let Redis wait.
 */
export async function startCounting(
  t: TestContext,
  url: string,
  patienceMs = 500,
): Promise<CountingInstance> {
  const events: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: line => void events.push(JSON.parse(line)) })
  const counts = createSharedCounts({ url, log, patienceMs })
  t.after(() => counts.close())
  await counts.start()
  return { ...counts, events }
}
