import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { type KeptRelease, keptRelease } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import { DamagedReleaseError, type OpenRelease } from '../store.ts'
import type { PlainCell, ReleaseColumns } from './backup-format.ts'
import type { Dump, DumpedRelease, DumpHeader, RecordBatch, ReleaseEntry, StoredDataset } from './dump.ts'
import { checked, recordBatch } from './record-digest.ts'
import { RELEASES, type RegistryTable, rowsOf } from './registry-rows.ts'

/** A store of an engine as it was at one moment, whatever is published and pruned meanwhile. */
export interface StoreMoment {
  readonly header: DumpHeader
  /** Sees the registry of that moment. */
  readonly registry: Registry
  /** The schema that qualifies its tables. */
  readonly schema: string
  readonly tables: readonly RegistryTable[]
  /** Opens a release, with the digest that its records were published with. Throws {@link DamagedReleaseError}. */
  open(kept: KeptRelease, dataset: StoredDataset): Promise<OpenRelease & { readonly digest: string }>
  close(): Promise<void>
}

/** Columns of releases that mean something to their engine alone. */
const OF_THE_ENGINE = ['locator', 'retired_at']

/** The dump of a store. The moment ends when it is closed. No release is waited for once the signal is aborted. */
export function dumpOf(
  moment: StoreMoment,
  datasets: readonly StoredDataset[],
  signal?: AbortSignal | undefined,
): Dump {
  const { registry, schema, tables } = moment
  return {
    header: moment.header,
    async *releases() {
      for (const row of await releaseRows(moment))
        yield await abortable(dumpRelease(moment, row, datasets), signal)
    },
    async *tables() {
      for (const table of tables)
        if (table.name !== RELEASES)
          yield { name: table.name, columns: table.columns, rows: () => rowsOf(registry, schema, table) }
    },
    close: moment.close,
  }
}

/** The rows of the releases that are kept; pruned ones have some content only for their last readers. */
async function releaseRows({ registry, schema, tables }: StoreMoment): Promise<ReleaseColumns[]> {
  const table = tables.find(({ name }) => name === RELEASES)
  if (table === undefined) throw new Error('the registry has no table of releases')
  const found: ReleaseColumns[] = []
  for await (const rows of rowsOf(registry, schema, table))
    for (const cells of rows) {
      const row = Object.fromEntries(table.columns.map((column, place) => [column, cells[place] ?? null]))
      if (row.retired_at === null) found.push(withoutOwn(row))
    }
  return found
}

const withoutOwn = (row: Record<string, PlainCell>): ReleaseColumns =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => !OF_THE_ENGINE.includes(column)),
  ) as ReleaseColumns

async function dumpRelease(
  moment: StoreMoment,
  row: ReleaseColumns,
  datasets: readonly StoredDataset[],
): Promise<DumpedRelease> {
  const damaged = (what: string) =>
    new DamagedReleaseError(`release ${row.number} of ${row.dataset} is damaged: ${what}`)
  try {
    const dataset = datasets.find(({ name }) => name === row.dataset)
    if (dataset === undefined)
      throw new DamagedReleaseError(
        `release ${row.number} of ${row.dataset} cannot be read: this version has no such dataset`,
      )
    const open = await moment.open(await keptRelease(moment.registry, row.dataset, row.number), dataset)
    const entry: ReleaseEntry = { row, digest: open.digest }
    return {
      entry,
      async *records() {
        try {
          yield* checked(inBatches(open.records()), entry, dataset.layout, damaged)
        } catch (error) {
          throw error instanceof SyntaxError ? damaged(error.message) : error
        } finally {
          await open.close()
        }
      },
    }
  } catch (error) {
    if (!(error instanceof DamagedReleaseError)) throw error
    return {
      entry: { row, digest: null },
      // biome-ignore lint/correctness/useYield: there is nothing to yield.
      async *records() {
        throw error
      },
    }
  }
}

/** Records in a batch; some have several kilobytes. */
const MOST_RECORDS = 100

async function* inBatches(records: AsyncIterable<StoredRecord>): AsyncGenerator<RecordBatch> {
  let batch: StoredRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < MOST_RECORDS) continue
    yield recordBatch(batch)
    batch = []
  }
  if (batch.length > 0) yield recordBatch(batch)
}
