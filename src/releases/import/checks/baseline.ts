import type { TObject } from 'typebox'
import type { StoredRecord } from '../../../query/query.ts'
import { DamagedReleaseError, type Release, type Store } from '../../../store/store.ts'
import { isObject } from '../../../values/values.ts'
import { fieldSchemas, type Importable } from '../importable.ts'

/** The release to compare a new release with. */
export interface Baseline {
  /** The current release if its bytes are sound, else the newest sound release before it. */
  readonly release: Release | undefined
  /** Whether `release` is the current one. A damaged release must be replaced even by the same records. */
  readonly isCurrent: boolean
  /** The content that the new release should not lose; empty without a release, or if only one of the two is synthetic. */
  readonly content: BaselineContent
}

export interface BaselineContent {
  /** The number of records; undefined where there is nothing to lose. */
  readonly rows: number | undefined
  /** The records by key; empty for a table, whose rows have no lasting key. */
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly fields: FieldCounts
}

const NOTHING: BaselineContent = { rows: undefined, records: new Map(), fields: new Map() }

/** Finds and reads the baseline of a dataset's next release, which may be synthetic. */
export async function readBaseline(store: Store, dataset: Importable, synthetic: boolean): Promise<Baseline> {
  const releases = await store.releases.list(dataset.name)
  const current = releases.find(({ currentSince }) => currentSince !== null)
  for (const release of releases.filter(({ number }) => number <= Number(current?.number))) {
    const content = await contentIfSound(store, release, dataset)
    if (content === undefined) continue
    const isComparable = release.synthetic === synthetic
    return { release, isCurrent: release === current, content: isComparable ? content : NOTHING }
  }
  return { release: undefined, isCurrent: false, content: NOTHING }
}

async function contentIfSound(
  store: Store,
  release: Release,
  { layout, record }: Importable,
): Promise<BaselineContent | undefined> {
  const { rows, filled } = release
  try {
    if (layout.kind === 'table' && filled !== undefined) {
      await store.releases.verify(release)
      return { ...NOTHING, rows, fields: new Map(Object.entries(filled)) }
    }
    const counter = createFieldCounter(record)
    const records = new Map<string, StoredRecord>()
    for await (const one of (await store.releases.open(release, layout)).records()) {
      counter.add(one)
      if (layout.kind === 'documents') records.set(String(one.id), one)
    }
    return { rows, records, fields: counter.counts() }
  } catch (error) {
    if (error instanceof DamagedReleaseError) return undefined
    throw error
  }
}

/** The number of records that have a value in each field. Members of a field follow dots (`owner.id`). */
export type FieldCounts = ReadonlyMap<string, number>

/**
 * Counts the values in each field, record by record. Null, empty texts and lists, false and the field's default do not
 * count.
 */
export function createFieldCounter(schema: TObject) {
  const parts = partsOf(schema)
  return {
    add(record: StoredRecord): void {
      for (const part of parts) {
        const whole = record[part.field]
        const value = part.member === '' || !isObject(whole) ? whole : whole[part.member]
        if (hasValue(value) && value !== part.blank) part.count++
      }
    },
    counts: (): FieldCounts => new Map(parts.map(({ name, count }) => [name, count])),
  }
}

/**
 * Each field with an empty member, or each member of an object. Blanks in a source become the default, so the default
 * is no value.
 */
const partsOf = (schema: TObject) =>
  fieldSchemas(schema).flatMap(([field, whole]) =>
    Object.entries(whole.properties ?? { '': whole }).map(([member, { default: blank }]) => ({
      name: member === '' ? field : `${field}.${member}`,
      field,
      member,
      blank,
      count: 0,
    })),
  )

const hasValue = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)
