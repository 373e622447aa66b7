import type { ApiError } from '../../../src/interfaces/web/explorer.ts'

/** What the service says where something does not exist or is not published; anything else is a failure. */
const ABSENT: readonly unknown[] = ['NOT_FOUND', 'DATASET_UNAVAILABLE']

/** What the service has said instead of an answer. */
export interface Refusal {
  readonly refusal: string
  /** The problem that it was. */
  readonly cause: ApiError
}

/** Gives what was asked for, or why the service does not have it. Rejects where it does not say. */
export async function attempt<T extends object>(asked: Promise<T>): Promise<T | Refusal> {
  try {
    return await asked
  } catch (error) {
    const { problem } = error as ApiError
    if (!ABSENT.includes(problem?.code)) throw error
    return { refusal: problem?.detail ?? '', cause: error as ApiError }
  }
}

/** Gives what was asked for, or null where the service does not have it. */
export async function orNull<T extends object>(asked: Promise<T>): Promise<T | null> {
  const answer = await attempt(asked)
  return 'refusal' in answer ? null : answer
}
