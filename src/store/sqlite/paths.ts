import { join } from 'node:path'

/** The registry of releases and readings. Open it only through SQLite: closing any other handle would drop its locks. */
export const registryPath = (folder: string): string => join(folder, 'registry.sqlite')

/** The file whose lock permits writing releases. It stays empty. */
export const lockPath = (folder: string): string => join(folder, 'lock.sqlite')

export const releasesFolder = (folder: string): string => join(folder, 'releases')

/** The folder of a dataset's releases. Throws RangeError for a name that would escape the store's folder. */
export function datasetFolder(folder: string, dataset: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(dataset))
    throw new RangeError(`"${dataset}" cannot name a dataset: small letters, digits and hyphens only`)
  return join(releasesFolder(folder), dataset)
}

export const releasePath = (folder: string, dataset: string, number: number): string =>
  join(datasetFolder(folder, dataset), `${number}.sqlite`)

/** A temporary file that a process writes; its name contains the process id, for the sweep. */
export const asidePath = (folder: string, dataset: string, token: string, part: 'release' | 'rows'): string =>
  join(datasetFolder(folder, dataset), `aside-${process.pid}-${token}.${part}.tmp`)

/** The number of the release in the file of this name; undefined for a leftover; null for a foreign file. */
export function readFileName(name: string): number | undefined | null {
  const release = /^(\d{1,15})\.sqlite(-journal|-wal|-shm)?$/.exec(name)
  if (release !== null) return release[2] === undefined ? Number(release[1]) : undefined
  return /^aside-\d+-[0-9a-f]+\.(release|rows)\.tmp(-journal)?$/.test(name) ? undefined : null
}
