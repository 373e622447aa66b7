import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A control group of Linux, whose processes together have so much memory. */
export interface MemoryLimit {
  /** A command of the shell that puts its process in the group. */
  readonly first: string
  /** How often the kernel killed one of them because it needed more. */
  kills(): number
}

/** Why a test that needs one is skipped, and what would let it run. */
export const NO_MEMORY_LIMIT = 'memory cannot be limited here: it takes Linux, root and control groups'

/** Where groups are made, the file with the limit and the one that counts, in both versions. */
const VERSIONS = [
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
]

/** Makes a group, which goes with the test; undefined where this user or system cannot. */
export function limitMemory(t: TestContext, bytes: number): MemoryLimit | undefined {
  for (const { root, limit, events } of VERSIONS) {
    const folder = join(root, `pds-test-${process.pid}`)
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    if (!existsSync(join(folder, limit))) {
      rmdirSync(folder)
      continue
    }
    // Its processes must be gone: those of a test end before.
    t.after(() => rmdirSync(folder))
    writeFileSync(join(folder, limit), String(bytes))
    return {
      first: `echo $$ >'${join(folder, 'cgroup.procs')}'`,
      kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1]),
    }
  }
  return undefined
}
