import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A share of a core that its processes get together and cannot exceed. */
export interface Quota {
  /** Adds a process with all its threads. */
  add(pid: number): void
}

/** Short, so that a process that has used its share waits only for milliseconds. */
const PERIOD_US = 10_000
/** The highest weights, so that other processes on the machine do not take the share away. */
const FIRST_VERSION_MOST = 262_144
const SECOND_VERSION_MOST = 10_000

/**
 * Makes a quota of a share (0 to 1) of one core with the kernel's control groups, of either version. Undefined if this process
 * may not write to control groups. The quota and its processes end with this process.
 */
export function makeQuota(name: string, share: number): Quota | undefined {
  const used = Math.round(share * PERIOD_US)
  const first = '/sys/fs/cgroup/cpu'
  const version1 = existsSync(join(first, 'cpu.cfs_quota_us'))
  const folder = join(version1 ? first : '/sys/fs/cgroup', `pds-bench-${process.pid}-${name}`)
  try {
    mkdirSync(folder)
    process.on('exit', () => remove(folder))
    if (version1) {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US))
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(used))
      writeFileSync(join(folder, 'cpu.shares'), String(FIRST_VERSION_MOST))
    } else {
      writeFileSync(join(folder, 'cpu.max'), `${used} ${PERIOD_US}`)
      writeFileSync(join(folder, 'cpu.weight'), String(SECOND_VERSION_MOST))
    }
  } catch {
    return undefined
  }
  return { add: pid => writeFileSync(join(folder, 'cgroup.procs'), String(pid)) }
}

/** Removes a group once its processes, which were killed a moment ago, are gone. */
function remove(folder: string): void {
  const deadline = Date.now() + 2000
  while (Date.now() < deadline && readFileSync(join(folder, 'cgroup.procs'), 'utf8') !== '') {}
  try {
    rmdirSync(folder)
  } catch {}
}
