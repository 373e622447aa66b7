import { runBy } from '../../values/system/user.ts'
import type { StoreEngine } from '../engine.ts'
import { sumHours } from '../readings/reading-rows.ts'
import { type BuiltRelease, buildRelease } from '../registry/build-release.ts'
import { TABLE_NAMES, type TableName } from '../registry/columns.ts'
import { addEntry } from '../registry/journal.ts'
import { enterFile, keptRelease } from '../registry/releases.ts'
import { type Registry, type ReleaseColumns, raiseRevision, withAnyTable } from '../registry/tables.ts'
import type { ReleaseWriter } from '../registry/writer.ts'
import { StoreUnusableError } from '../store.ts'
import type { BackupReader } from './read-lines.ts'
import { ELSEWHERE } from './registry-check.ts'
import type { Tally } from './tally.ts'

/** Computed again from the readings, so that the backup's rows need no trust. */
const DERIVED: TableName = 'reading_hours'

/**
 * Fills an empty store from a backup, all or nothing for its readers. The releases are built unseen. Once the last line has
 * proven the whole, one transaction registers the releases and everything else. Resolves to the SHA-256 of the content. Throws
 * {@link StoreUnusableError} unless the store is empty.
 */
export async function fill(
  { shown, insert }: StoreEngine,
  writer: ReleaseWriter,
  { progress, signal }: Tally,
  { header, releases, tables }: BackupReader,
): Promise<string> {
  const built: (BuiltRelease & { readonly row: ReleaseColumns })[] = []
  try {
    await requireEmpty(shown, writer.registry)
    // Leftover files of a killed restore might fill the disk.
    await writer.removeLeftovers()
    await releases(async (row, dataset, records) => {
      const name = `release ${row.number} of ${row.dataset}`
      const onPhase = (phase: string) => progress(0, `${name}, ${phase}`)
      try {
        const one = await buildRelease(writer, dataset, row.number, records, onPhase, signal)
        built.push({ ...one, row })
        return one.measures
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        const why = `${name} cannot be kept here (${error.message}): ${ELSEWHERE}`
        throw new StoreUnusableError(why, { cause: error })
      }
    })
    progress(0, 'publishing')
    return await writer.fill(async transaction => {
      await requireEmpty(shown, transaction)
      // Its numbers would be those of entries in the backup.
      await transaction.deleteFrom('journal').execute()
      for (const { row, file, measures } of built) {
        const { dataset, number } = row
        await insert(transaction, 'releases', [{ ...row, locator: file.name }])
        await enterFile(transaction, { dataset, number, digest: measures.digest }, file)
      }
      const sha256 = await tables(async (table, rows) => {
        if (table !== DERIVED) await insert(transaction, table, rows)
      })
      const [event, detail] = ['restored' as const, `a copy of ${header.at}`]
      for (const { row } of built) {
        const { dataset, number: release, source, hash } = row
        const { currentSince } = (await keptRelease(transaction, dataset, release)).release
        const entry = { dataset, event, actor: runBy('restore'), release, source, hash, detail }
        if (currentSince !== null) await addEntry(transaction, entry)
      }
      await sumHours(transaction)
      await raiseRevision(transaction, 'revision')
      await raiseRevision(transaction, 'history_revision')
      return sha256
    })
  } catch (error) {
    // If a removal fails, the next sweep removes the content.
    for (const { remove } of built) await remove().catch(() => undefined)
    throw writer.toStoreError(error)
  }
}

/** Refusals do not count: nobody misses them in a store that never had a release. */
async function requireEmpty(shown: string, registry: Registry): Promise<void> {
  for (const table of TABLE_NAMES.filter(name => name !== 'journal')) {
    const row = await withAnyTable(registry).selectFrom(table).selectAll().limit(1).executeTakeFirst()
    if (row !== undefined)
      throw new StoreUnusableError(
        `${shown} is not empty (its table ${table} has rows), so it is left as it is: name an empty store, or a new one`,
      )
  }
}
