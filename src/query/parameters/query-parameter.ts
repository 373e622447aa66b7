import type { InvalidParameter, ValueType } from '../../values/values.ts'
import type { Filter, Place, SortKey } from '../query.ts'

/** A query parameter: its type, what it means, and its value where it is not sent. */
export interface QueryParameter<T = unknown> {
  readonly type: ValueType<T>
  readonly description: string
  readonly default?: T
}

/** Parsed values of parameters by name; undefined where one is not sent. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The query parameters derived from fields, and their values as filters. */
export interface FieldParameters {
  readonly parameters: Readonly<Record<string, QueryParameter>>
  /** Throws {@link InvalidParameter} where a range begins after its end. */
  filters(values: ParameterValues): Filter[]
  sort?(values: ParameterValues): readonly SortKey[]
  /** Throws {@link InvalidParameter} for a radius round nothing. */
  place?(values: ParameterValues): Place | undefined
}

export interface FieldParametersOptions {
  /** The noun for the records in descriptions: "vehicles". */
  readonly noun: string
  /** The values of an open enumeration that the records hold at present. */
  readonly heldValues: (field: string) => readonly string[]
}
