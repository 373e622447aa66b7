import type { TSchema } from 'typebox'

/**
 * A type of value that arrives as text: in a query, a path, the environment or on the command line. One declaration
 * parses it, describes the allowed values in errors, and documents it in OpenAPI.
 */
export interface ValueType<T> {
  /** Parses the text. Throws {@link NotAllowed} if it is not of the type. */
  parse(text: string): T
  /** Formats the value canonically: equal values give equal text. */
  format(value: T): string
  /** A description of the allowed values, printed after "allowed: ". */
  readonly allowed: string
  readonly schema: TSchema
}

/** The text is not a value of the type; `nearest` is an allowed value that may have been meant. */
export class NotAllowed extends Error {
  override name = 'NotAllowed'
  readonly nearest: string | undefined
  constructor(reason: string, nearest?: string) {
    super(reason)
    this.nearest = nearest
  }
}
