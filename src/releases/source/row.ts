/** One record as its source has it, its values under the fields' names. */
export interface SourceRow {
  readonly line: number
  readonly values: ReadonlyMap<string, unknown>
  /** The source's own name of each field's column. */
  readonly columns: ReadonlyMap<string, string>
  /** Why the row cannot be read at all; its values are then empty. */
  readonly fault?: { readonly column: string | null; readonly value: unknown; readonly reason: string }
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>()

/** A row that cannot be read. */
export function faultyRow(line: number, reason: string, value: unknown = null): SourceRow {
  return { line, values: NOTHING, columns: NOTHING, fault: { column: null, value, reason } }
}
