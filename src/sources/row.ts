/** One record as its source has it. */
export interface SourceRow {
  readonly line: number
  /** By the dataset's fields, in their order; undefined where the source has none. */
  readonly values: readonly unknown[]
  /** The source's own name of each field's column. */
  readonly columns: ReadonlyMap<string, string>
  /** Why the row cannot be read at all; its values are then empty. */
  readonly fault?: { readonly column: string | null; readonly value: unknown; readonly reason: string }
}

const NO_COLUMNS: ReadonlyMap<string, never> = new Map<string, never>()

/** A row that cannot be read. */
export function faultyRow(line: number, reason: string, value: unknown = null): SourceRow {
  return { line, values: [], columns: NO_COLUMNS, fault: { column: null, value, reason } }
}
