import { randomBytes } from 'node:crypto'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../values/system/error-code.ts'

/** Whether Node's permission model is on. With it, Node 26 lets nothing be flushed to the disk. */
const isRestricted = 'permission' in process && process.permission !== undefined

/** Options of a new file whose content is on the disk when the file is closed: by one flush, or else with each write. */
export const NEW_FILE = isRestricted
  ? { flag: 'as', flags: 'as', flush: false }
  : { flag: 'wx', flags: 'wx', flush: true }

/**
 * Writes a file whole or not at all: `write` fills a temporary file beside it and flushes it to the disk, and then the file
 * gets its name. Without `replace`, throws an error with the code EEXIST if another file has that name, even if that file
 * appeared a moment ago.
 */
export async function writeWhole(
  path: string,
  replace: boolean,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    await write(temporary)
    if (replace || !(await linked(temporary, path))) await rename(temporary, path)
    else await rm(temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  if (process.platform === 'win32') return
  // So that the name survives a power failure.
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } catch (error) {
    if (errorCode(error) !== 'ERR_ACCESS_DENIED') throw error
  } finally {
    await folder.close()
  }
}

/**
 * Takes a free name for a file. A rename cannot do so: it replaces an existing file. False where the disk has no links, as
 * with FAT and some network disks; there an empty file has the name until the rename.
 */
async function linked(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    await (await open(path, 'wx')).close()
    return false
  }
}

/** Removes the temporary files that killed processes left beside a file. */
export async function removeLeftovers(path: string): Promise<void> {
  const start = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    const [, id] = (name.startsWith(start) && /^(\d+)-[0-9a-f]{8}\.tmp$/.exec(name.slice(start.length))) || []
    if (id !== undefined && !isOther(Number(id))) await rm(join(dirname(path), name), { force: true })
  }
}

/** Whether another process with this id runs. In containers a process often has the id of its predecessor. */
function isOther(id: number): boolean {
  if (id === process.pid) return false
  try {
    return process.kill(id, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
