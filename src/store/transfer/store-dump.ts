import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { type KeptRelease, keptRelease } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import { DamagedReleaseError, type OpenRelease, UnknownReleaseError } from '../store.ts'
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
  /** Opens a release. Throws {@link DamagedReleaseError}. */
  open(kept: KeptRelease, dataset: StoredDataset): Promise<OpenRelease>
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
      const kept = new Set((await releaseRows(moment)).map(({ dataset, number }) => `${dataset} ${number}`))
      for (const table of tables)
        if (table.name !== RELEASES) {
          const rows = () => rowsOf(registry, schema, table)
          const { name, columns } = table
          yield { name, columns, rows: name === 'datasets' ? () => withoutLost(rows(), columns, kept) : rows }
        }
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

/** The rows of datasets: none has a current release that was damaged and left out when the store was restored. */
async function* withoutLost(
  batches: AsyncIterable<PlainCell[][]>,
  columns: readonly string[],
  kept: ReadonlySet<string>,
): AsyncGenerator<PlainCell[][]> {
  const [name, current] = [columns.indexOf('name'), columns.indexOf('current_number')]
  for await (const rows of batches)
    yield rows.map(cells =>
      kept.has(`${cells[name]} ${cells[current]}`)
        ? cells
        : cells.map((cell, place) => (columns[place]?.startsWith('current_') ? null : cell)),
    )
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
    const kept = await keptRelease(moment.registry, row.dataset, row.number).catch(throwUntaken)
    const open = await moment.open(kept, dataset)
    const entry: ReleaseEntry = { row, digest: kept.digest }
    return {
      entry,
      async *records() {
        try {
          yield* checked(inBatches(open.records()), entry, dataset.layout, damaged)
        } catch (error) {
          throw error instanceof SyntaxError ? damaged(error.message) : error
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

/** A release of an earlier version that `pds migrate` has not taken over has a row, and nothing that can be read. */
function throwUntaken(error: unknown): never {
  if (!(error instanceof UnknownReleaseError)) throw error
  throw new DamagedReleaseError('it was made by an earlier version of the service: run `pds migrate`')
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
