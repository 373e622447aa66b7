import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

/** The memory that this process may use: the machine's memory, or the limit of the container. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** The cores that this process may use: those that it may run on, or whole cores within the limit of its control group. */
export function availableCores(controlGroups = '/sys/fs/cgroup'): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(coreQuota(controlGroups))))
}

/** The processor time that the control group of this process may use, in cores; infinite without a limit. */
function coreQuota(controlGroups: string): number {
  const path = /^0::(.+)$/m.exec(read('/proc/self/cgroup'))?.[1] ?? '/'
  const quotas = ['', path].flatMap(group => {
    // Version 2 of control groups, then version 1.
    const [most, period] = read(`${controlGroups}${group}/cpu.max`).split(' ')
    return [
      Number(most) / Number(period),
      Number(read(`${controlGroups}/cpu${group}/cpu.cfs_quota_us`)) /
        Number(read(`${controlGroups}/cpu${group}/cpu.cfs_period_us`)),
    ]
  })
  return Math.min(...quotas.filter(quota => quota > 0), Number.POSITIVE_INFINITY)
}

/** The text of a file; empty if it cannot be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
