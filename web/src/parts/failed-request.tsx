import type { ApiError } from '../../../src/interfaces/web/explorer.ts'
import { timeInWords } from '../words/relative-time.ts'

/** Why the API did not give what a page asked for. */
export interface Failure {
  readonly failed: NonNullable<ApiError['problem']>
  /** Seconds after which it may be asked again. */
  readonly retryAfterS?: number
}

/** What is wrong with one parameter, in the API's words. */
export type ParameterError = NonNullable<Failure['failed']['errors']>[number]

/** The result of a request, or why there is none. An error without a problem is thrown on. */
export async function resultOf<Result>(request: Promise<Result>): Promise<Result | Failure> {
  try {
    return await request
  } catch (error) {
    const { problem, retryAfterS } = error as ApiError
    if (problem === undefined) throw error
    return { failed: problem, ...(retryAfterS !== undefined && { retryAfterS }) }
  }
}

/** Whether there is no result. */
export const isFailure = (result: object): result is Failure => 'failed' in result

/** Says what went wrong, and when to try again at which address. */
export function FailedRequest({ failure, retry }: { readonly failure: Failure; readonly retry: string }) {
  const { failed: problem, retryAfterS } = failure
  return (
    <div class="notice" role="alert">
      <h2>{problem.title}</h2>
      <p>{problem.detail}</p>
      {retryAfterS !== undefined && <p>You can try again {timeInWords(nextMinute(retryAfterS))}.</p>}
      <p>
        <a href={retry}>Try again</a> · <a href={problem.type}>About this problem</a>
      </p>
    </div>
  )
}

/** The first whole minute after which a request succeeds: people read no seconds. */
const nextMinute = (seconds: number): number => Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000
