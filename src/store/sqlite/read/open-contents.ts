import { existsSync } from 'node:fs'
import type { TableLayout } from '../../layout.ts'
import type { OpenContents } from '../../open-contents.ts'
import { DamagedReleaseError, NoStoreError, type Release } from '../../store.ts'
import { openDatabase } from '../driver.ts'
import { toReadError } from '../faults.ts'
import { registryPath, releasePath } from '../paths.ts'
import { tableContents } from './table-contents.ts'

/** Opens the column scan of a release in a folder. */
export async function openSqliteContents(
  folder: string,
  { dataset, number }: Release,
  layout: TableLayout,
): Promise<OpenContents> {
  if (!existsSync(registryPath(folder))) throw new NoStoreError(`there is no store in ${folder}`)
  const path = releasePath(folder, dataset, number)
  if (!existsSync(path))
    throw new DamagedReleaseError(`release ${number} of ${dataset} is damaged: ${path} is missing`)
  try {
    const database = openDatabase(path, { finished: true })
    return { ...tableContents(database, path, layout), close: async () => database.close() }
  } catch (error) {
    throw toReadError(error, path)
  }
}
