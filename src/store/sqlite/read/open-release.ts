import type { Layout } from '../../layout.ts'
import { openReleaseOver } from '../../open-release.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import type { OpenRelease } from '../../store.ts'
import { kyselyOver } from '../dialect.ts'
import { openDatabase } from '../driver.ts'
import { toReadError } from '../faults.ts'
import { releasePath } from '../paths.ts'
import { verifyFile } from '../release-file.ts'
import { columnScan } from './column-scan.ts'
import { tableEngine } from './table-engine.ts'

/** Opens a release file for reading, once its bytes are verified. */
export async function openRelease(folder: string, kept: KeptRelease, layout: Layout): Promise<OpenRelease> {
  const path = releasePath(folder, kept.release)
  await verifyFile(path, kept)
  const file = openDatabase(path, { finished: true })
  const database = await kyselyOver<unknown>(file, error => toReadError(error, path))
  return openReleaseOver(tableEngine(database), kept.release, layout, {
    scan: table => columnScan(file, path, table),
    close: () => database.destroy(),
  })
}
