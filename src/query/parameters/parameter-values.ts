import type { InvalidParameter, Parameter } from '../../values/values.ts'
import type { Filter, SortKey } from '../query.ts'

/** Parsed values of parameters by name; undefined for a parameter that was not sent. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The query parameters derived from fields, and their values as filters. */
export interface FieldParameters {
  readonly parameters: Readonly<Record<string, Parameter>>
  /** Throws {@link InvalidParameter} if a range begins after its end. */
  filters(values: ParameterValues): Filter[]
  sort?(values: ParameterValues): readonly SortKey[]
}

export interface FieldParametersOptions {
  /** The noun for the records in descriptions: "vehicles". */
  readonly noun: string
  /** The values of an open enumeration that the records hold at present. */
  readonly heldValues: (field: string) => readonly string[]
}
