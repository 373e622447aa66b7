import type { ApiError } from '../../../src/interfaces/web/explorer.ts'
import { dataLanguage } from '../address.ts'
import { parts } from '../texts/en/parts.ts'
import { meaningOf } from '../texts/meaning.ts'
import { anchor, rich, text } from '../texts/rich.tsx'
import { timeInWords } from '../words/relative-time.ts'

/** The problem that the API answered with. */
export interface Failure {
  readonly failed: NonNullable<ApiError['problem']>
  /** Seconds until the request may succeed. */
  readonly retryAfterS?: number | undefined
}

/** The fault of one parameter, in the API's words. */
export type ParameterError = NonNullable<Failure['failed']['errors']>[number]

/** The result of a request, or its problem. Rejects with an error without a problem. */
export async function resultOf<Result>(request: Promise<Result>): Promise<Result | Failure> {
  try {
    return await request
  } catch (error) {
    const { problem, retryAfterS } = error as ApiError
    if (problem === undefined) throw error
    return { failed: problem, retryAfterS }
  }
}

/** Whether there is no result. */
export const isFailure = (result: object): result is Failure => 'failed' in result

/** Says what went wrong, and links to the next try. */
export function FailedRequest({ failure, retry }: { readonly failure: Failure; readonly retry: string }) {
  const { failed: problem, retryAfterS } = failure
  return (
    <div class="notice" role="alert">
      <h2>{meaningOf(problem.title)}</h2>
      <p lang={dataLanguage}>{problem.detail}</p>
      {retryAfterS !== undefined && (
        <p>{text(parts.tryAgainAt, { time: timeInWords(nextMinute(retryAfterS)) })}</p>
      )}
      <p>{rich(parts.tryAgain, { retry: anchor(retry), about: anchor(problem.type, dataLanguage) })}</p>
    </div>
  )
}

/** The first whole minute after which a request may succeed: people do not read seconds. */
const nextMinute = (seconds: number): number => Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000
