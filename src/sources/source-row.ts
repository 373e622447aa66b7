/** One record of a source, before coercion. */
export interface SourceRow {
  readonly line: number
  /** In the order of the dataset's fields; undefined if the source has no value. */
  readonly values: readonly unknown[]
  /** The source's own name of each field's column. */
  readonly columns: ReadonlyMap<string, string>
  /** Why the row cannot be read; its values are then empty. */
  readonly fault?: { readonly column: string | null; readonly value: unknown; readonly reason: string }
}

/** A row that cannot be read. */
export function faultyRow(line: number, reason: string, value: unknown = null): SourceRow {
  return { line, values: [], columns: new Map(), fault: { column: null, value, reason } }
}

/** True for a value that a source leaves blank. */
export function isBlank(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')
}

/** The whole import is refused; the message says in one sentence what is wrong and what to do. */
export class Refusal extends Error {
  override name = 'Refusal'
}
