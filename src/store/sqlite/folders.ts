import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockPath, registryPath, releasesFolder } from './paths.ts'

/**
 * Makes a folder with those that it lies in, and resolves to those that were missing, the outermost first. (Node's own
 * recursive mkdir never ends below /proc.)
 */
export async function makeFolders(folder: string, options: { isInFolder?: true } = {}): Promise<string[]> {
  try {
    await mkdir(folder)
    return [folder]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return []
    if (code !== 'ENOENT' || options.isInFolder) throw error
  }
  const parents = await makeFolders(dirname(folder))
  return [...parents, ...(await makeFolders(folder, { isInFolder: true }))]
}

/** Removes the files of a store in which nothing is, and of `made` the folders that are empty without them. */
export async function removeUnused(folder: string, made: readonly string[]): Promise<void> {
  await rm(registryPath(folder), { force: true })
  await rm(lockPath(folder), { force: true })
  const releases = releasesFolder(folder)
  const ofDatasets = made.includes(releases) ? await readdir(releases) : []
  const innermostFirst = [...ofDatasets.map(name => join(releases, name)), ...made.toReversed()]
  for (const empty of innermostFirst) await rmdir(empty).catch(() => {})
}
