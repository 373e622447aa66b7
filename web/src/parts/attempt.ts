import type { ApiError } from '../../../src/interfaces/web/explorer.ts'

/** The codes for something that does not exist or is not published. Any other code is a failure. */
const ABSENT: readonly unknown[] = ['NOT_FOUND', 'DATASET_UNAVAILABLE']

/** The service's reason for no answer. */
export interface Refusal {
  readonly refusal: string
  /** The error with the problem. */
  readonly cause: ApiError
}

/** Gives the answer, or the reason why it does not exist. Rejects with any other failure. */
export async function attempt<T extends object>(asked: Promise<T>): Promise<T | Refusal> {
  try {
    return await asked
  } catch (error) {
    const { problem } = error as ApiError
    if (!ABSENT.includes(problem?.code)) throw error
    return { refusal: problem?.detail ?? '', cause: error as ApiError }
  }
}

/** Gives the answer, or null if it does not exist. */
export async function orNull<T extends object>(asked: Promise<T>): Promise<T | null> {
  const answer = await attempt(asked)
  return 'refusal' in answer ? null : answer
}
