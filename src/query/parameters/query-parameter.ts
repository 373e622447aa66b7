import { type ParameterError, Problem } from '../../errors.ts'
import type { ValueType } from '../../values/value-type.ts'

/** A query parameter: its type and what it means. */
export interface QueryParameter<T = unknown> {
  readonly type: ValueType<T>
  readonly description: string
}

/** Parsed values of parameters by name; undefined where one is not sent. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The problem for one parameter that is wrong. */
export const invalidParameter = (error: ParameterError): Problem =>
  new Problem('INVALID_PARAMETER', `${error.parameter} ${error.detail}`, { errors: [error] })
