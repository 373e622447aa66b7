import { abortable } from '../../values/promises.ts'
import { raiseRevision } from '../registry/revision.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { ReleaseBuilder, ReleaseWriter } from '../registry/writer.ts'
import { StoreUnusableError } from '../store.ts'
import type { PlainCell, ReleaseColumns } from './backup-format.ts'
import type { Dump, DumpedRelease, StoredDataset } from './dump.ts'
import { filledTable, RELEASES, type RegistryTable } from './registry-rows.ts'
import { type Carried, type CarryOptions, createTally, type Tally } from './tally.ts'

/** A store that is to be filled, locked against other writers of releases. */
export interface LoadTarget {
  readonly writer: ReleaseWriter
  /** For messages. */
  readonly shown: string
  readonly schema: string
  readonly tables: readonly RegistryTable[]
  /** Runs work in one transaction, once and never again, beside which nobody writes readings; then other instances notice. */
  readonly write: WriteRegistry
  /** Inserts rows, keys that databases assign included. */
  insert(
    transaction: Registry,
    table: string,
    columns: readonly string[],
    rows: readonly (readonly PlainCell[])[],
  ): Promise<void>
  close(): Promise<void>
}

interface Built {
  readonly row: ReleaseColumns
  readonly builder: ReleaseBuilder
}

/**
 * Fills an empty store with a dump, all or nothing for its readers: the releases are built unseen, and one transaction
 * registers them with everything else. Throws {@link StoreUnusableError} unless the store is empty and knows every table.
 */
export async function load(
  dump: Dump,
  target: LoadTarget,
  datasets: readonly StoredDataset[],
  options: CarryOptions = {},
): Promise<Carried> {
  const { writer, insert } = target
  const tally = createTally(options)
  const built: Built[] = []
  try {
    await requireEmpty(target, writer.registry)
    // What one that was killed left might fill the disk.
    await writer.removeLeftovers()
    for await (const release of dump.releases()) {
      const { row } = release.entry
      try {
        built.push({ row, builder: await buildRelease(release, writer, datasets, tally) })
        tally.addRelease(row)
      } catch (error) {
        tally.addMissing(row, error)
      }
    }
    tally.progress(0, 'publishing')
    const located: PlainCell[][] = []
    for (const { row, builder } of built) {
      located.push([...Object.values(row), await builder.place(row.number)])
      tally.progress(0)
    }
    await target.write(async transaction => {
      await requireEmpty(target, transaction)
      for (const [index, { row }] of built.entries()) {
        const columns = [...Object.keys(row), 'locator']
        requireColumns(target, RELEASES, columns)
        await insert(transaction, RELEASES, columns, located.slice(index, index + 1))
      }
      for await (const { name, columns, rows } of dump.tables()) {
        requireColumns(target, name, columns)
        tally.addRows(name, 0)
        for await (const batch of rows()) {
          await insert(transaction, name, columns, batch)
          tally.addRows(name, batch.length)
        }
      }
      await raiseRevision(transaction, 'revision')
      await raiseRevision(transaction, 'history_revision')
    })
    return tally.carried
  } catch (error) {
    // What cannot be removed is left to the next sweep.
    for (const { builder } of built) await builder.remove().catch(() => undefined)
    throw writer.toStoreError(error)
  }
}

/** Builds the content of a release where no reader looks for it. */
async function buildRelease(
  { entry: { row }, records }: DumpedRelease,
  writer: ReleaseWriter,
  datasets: readonly StoredDataset[],
  { progress, signal }: Tally,
): Promise<ReleaseBuilder> {
  const name = `release ${row.number} of ${row.dataset}`
  const dataset = datasets.find(one => one.name === row.dataset)
  if (dataset === undefined) throw new StoreUnusableError(`there is no place for ${name}: ${NEWER}`)
  const builder = await writer.startRelease(row.dataset, dataset.layout)
  try {
    for await (const batch of records()) {
      for (const [index, record] of batch.records.entries())
        await builder.append(dataset.keyOf(record), record, batch.contents[index] ?? '')
      progress(batch.records.length)
    }
    await abortable(
      builder.seal(row.rows, phase => progress(0, `${name}, ${phase}`)),
      signal,
    )
    return builder
  } catch (error) {
    await builder.remove().catch(() => undefined)
    throw error instanceof TypeError
      ? new StoreUnusableError(`${name} cannot be kept here (${error.message}): ${NEWER}`, { cause: error })
      : error
  }
}

const NEWER = 'it comes from another version of the service; run that version'

async function requireEmpty({ schema, tables, shown }: LoadTarget, registry: Registry): Promise<void> {
  const filled = await filledTable(registry, schema, tables)
  if (filled !== undefined)
    throw new StoreUnusableError(
      `${shown} is not empty (its table ${filled} has rows), so it is left as it is: name an empty store, or a new one`,
    )
}

/** Throws {@link StoreUnusableError} unless the table has all of these columns. */
function requireColumns({ tables }: LoadTarget, name: string, columns: readonly string[]): void {
  const known = tables.find(table => table.name === name)?.columns ?? []
  const unknown = columns.find(column => !known.includes(column))
  if (unknown !== undefined)
    throw new StoreUnusableError(`there is no place for ${unknown} of the table ${name}: ${NEWER}`)
}
