import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../values/system/error-code.ts'

/** The registry of releases and readings. Open it only through SQLite: closing any other handle drops SQLite's locks. */
export const registryPath = (folder: string): string => join(folder, 'registry.sqlite')

/** The file whose lock permits writing releases. It stays empty. */
export const lockPath = (folder: string): string => join(folder, 'lock.sqlite')

/** The file whose lock is a lease. It stays empty. */
export const leasePath = (folder: string, lease: string): string => join(folder, `lease-${lease}.sqlite`)

export const releasesFolder = (folder: string): string => join(folder, 'releases')

export const datasetFolder = (folder: string, dataset: string): string =>
  join(releasesFolder(folder), dataset)

/** The file of a release, by its name in the registry: its number, then `ndjson.gz` or `table`. */
export const releasePath = (folder: string, dataset: string, name: string): string =>
  join(datasetFolder(folder, dataset), name)

/** The number of the release in the file of this name; undefined for a leftover; null for a foreign file. */
export function readFileName(name: string): number | undefined | null {
  const [, number] = /^(\d{1,15})\.(?:ndjson\.gz|table)$/.exec(name) ?? []
  if (number !== undefined) return Number(number)
  return LEFTOVER.test(name) ? undefined : null
}

/** The temporary files of release files. */
const LEFTOVER = /^\d{1,15}\.(?:ndjson\.gz|table)\.\d+-[0-9a-f]{8}\.tmp$/

/** Makes a folder and its missing parents. (Node's own recursive mkdir never ends below /proc.) */
export async function makeFolders(folder: string, options: { isInFolder?: true } = {}): Promise<void> {
  try {
    return await mkdir(folder)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || options.isInFolder) throw error
  }
  await makeFolders(dirname(folder))
  await makeFolders(folder, { isInFolder: true })
}
