import type { TObject } from 'typebox'
import type { StoredRecord } from '../../query/query.ts'
import type { Layout } from '../../store/layout.ts'

/** What importing needs to know of a dataset; a dataset's declaration has all of it. */
export interface Importable {
  readonly name: string
  /** The record's schema, all fields in the order in which they are kept. Sources are read, checked and kept by it. */
  readonly record: TObject
  readonly layout: Layout
  readonly identity: Identity
  /**
   * Other names that sources give to fields, and names that are known and passed over (null). Names are compared
   * without case, blanks and punctuation; a field's own name need not be listed.
   */
  readonly aliases: Readonly<Record<string, string | null>>
  /** More rejected rows than this refuse the import, unless the operator says otherwise. */
  readonly rejectLimit: RejectLimit
  /** Computes what the record derives from its other fields, or cleans it; throws {@link Rejection} to reject the row. */
  readonly refine?: (record: StoredRecord) => StoredRecord
}

/** How a dataset's records are told apart. */
export type Identity =
  /** Field `id` is a UUID and `createdAt` a time; where a source lacks them they follow from the natural key. */
  | { readonly kind: 'uuid'; readonly naturalKey: (record: StoredRecord) => string }
  /** Field `id` is the publisher's own; every record must bring it. */
  | { readonly kind: 'given' }
  /** Equal records may occur: a fingerprint over part of the fields names them for comparing releases only. */
  | { readonly kind: 'fingerprint'; readonly field: string }

/** So many rows, or so many per cent of the rows read. */
export type RejectLimit = { readonly rows: number } | { readonly percent: number }

/**
 * A row that cannot be published: the field, its value in the source and what is wrong with it. Members of a field come
 * after dots (`owner.id`); null is the row as a whole.
 */
export class Rejection extends Error {
  override name = 'Rejection'
  readonly field: string | null
  readonly value: unknown
  constructor(field: string | null, value: unknown, reason: string) {
    super(reason)
    this.field = field
    this.value = value
  }
}
