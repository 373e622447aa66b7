import { Problem } from '../../errors.ts'
import { InvalidParameter } from '../../values/values.ts'
import { invalidParameters } from '../request/parameters.ts'

/** Converts an expected error of another component to a problem; undefined for unexpected ones. */
export type ExpectedError = (error: Error) => Problem | undefined

/** The log of unexpected errors. */
export interface ErrorLog {
  error(fields: object, message: string): void
}

/** Creates a function that converts any error to a problem: internal details go to the log, never to the client. */
export function problemConverter(
  log: ErrorLog,
  expected: ExpectedError = () => undefined,
): (error: unknown) => Problem {
  return error => {
    if (error instanceof Problem) return error
    if (error instanceof InvalidParameter) return invalidParameters([error.error])
    const problem = error instanceof Error ? expected(error) : undefined
    if (problem !== undefined) return problem
    log.error({ event: 'request-failed', err: error }, 'a request failed')
    return new Problem('INTERNAL_ERROR', 'The request failed because of an error in the service.')
  }
}
