import { abortable } from '../../values/promises.ts'
import { recordDigest } from '../encoding/content.ts'
import { gatherDigests } from '../encoding/digests.ts'
import type { PlacedFile } from '../registry/releases.ts'
import { enterFile } from '../registry/releases.ts'
import { raiseRevision } from '../registry/revision.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { ReleaseBuilder, ReleaseWriter } from '../registry/writer.ts'
import { StoreUnusableError } from '../store.ts'
import type { PlainCell, ReleaseColumns } from './backup-format.ts'
import type { Dump, DumpedRelease, StoredDataset } from './dump.ts'
import { ELSEWHERE } from './registry-check.ts'
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
  readonly file: PlacedFile
  /** The sum of the digests of its records. */
  readonly digest: string
}

/**
 * Fills an empty store with a dump, all or nothing for its readers: the releases are built unseen, and one transaction
 * registers them with everything else. Throws {@link StoreUnusableError} unless the store is empty.
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
        built.push({ row, ...(await buildRelease(release, writer, datasets, tally)) })
        tally.addRelease(row)
      } catch (error) {
        tally.addMissing(row, error)
      }
    }
    tally.progress(0, 'publishing')
    await target.write(async transaction => {
      await requireEmpty(target, transaction)
      for (const { row, file, digest } of built) {
        const located = { ...row, locator: file.name }
        await insert(transaction, RELEASES, Object.keys(located), [Object.values(located)])
        await enterFile(transaction, { dataset: row.dataset, number: row.number, digest }, file)
      }
      for await (const { name, columns, rows } of dump.tables()) {
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
): Promise<Omit<Built, 'row'>> {
  const name = `release ${row.number} of ${row.dataset}`
  const dataset = datasets.find(one => one.name === row.dataset)
  if (dataset === undefined) throw new StoreUnusableError(`there is no place for ${name}: ${ELSEWHERE}`)
  const builder = await writer.startRelease(row.dataset, dataset.layout)
  const gathered = gatherDigests()
  const sum = recordDigest()
  try {
    for await (const batch of records()) {
      for (const [index, record] of batch.records.entries()) {
        const content = batch.contents[index] ?? ''
        await builder.append(record, content)
        sum.add(gathered.add(dataset.keyOf(record), content))
      }
      progress(batch.records.length)
    }
    await abortable(
      builder.seal(gathered.bytes(), phase => progress(0, `${name}, ${phase}`)),
      signal,
    )
    return { builder, file: await builder.place(row.number), digest: sum.digest() }
  } catch (error) {
    await builder.remove().catch(() => undefined)
    throw error instanceof TypeError
      ? new StoreUnusableError(`${name} cannot be kept here (${error.message}): ${ELSEWHERE}`, {
          cause: error,
        })
      : error
  }
}

async function requireEmpty({ schema, tables, shown }: LoadTarget, registry: Registry): Promise<void> {
  const filled = await filledTable(registry, schema, tables)
  if (filled !== undefined)
    throw new StoreUnusableError(
      `${shown} is not empty (its table ${filled} has rows), so it is left as it is: name an empty store, or a new one`,
    )
}
