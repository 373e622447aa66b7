import { openDatabase } from '../../src/store/sqlite/driver.ts'
import { registryPath } from '../../src/store/sqlite/folder.ts'

/** Makes the releases that the store in a folder has pruned as old as those whose content the next sweep removes. */
export function agePruned(folder: string): void {
  const registry = openDatabase(registryPath(folder))
  registry.exec('update releases set retired_at = 0 where retired_at is not null')
  registry.close()
}
