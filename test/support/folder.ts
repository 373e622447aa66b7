import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Makes an empty folder that goes with the test. */
export async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
