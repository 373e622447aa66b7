/** An error of the system or of Node. */
interface CodedError extends Error {
  readonly code?: unknown
}

/** The message of an error. Anything else that was thrown is shown as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of an error of the system or of Node, such as `ENOENT`, or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code }: CodedError = error
  return typeof code === 'string' ? code : undefined
}
