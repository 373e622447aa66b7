import { Problem } from '../../errors.ts'

/** The problem that an expected error of another part is; undefined for unexpected ones. */
export type ExpectedError = (error: Error) => Problem | undefined

/** Where errors go that nobody expected. */
export interface ErrorLog {
  error(fields: object, message: string): void
}

/** Makes the function that turns errors of every kind into problems: nothing internal reaches the client, all of it the log. */
export function problemConverter(
  log: ErrorLog,
  expected: ExpectedError = () => undefined,
): (error: unknown) => Problem {
  return error => {
    if (error instanceof Problem) return error
    const problem = error instanceof Error ? expected(error) : undefined
    if (problem !== undefined) return problem
    log.error({ event: 'request-failed', err: error }, 'a request failed')
    return new Problem('INTERNAL_ERROR', 'The request could not be answered.')
  }
}
