import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** The megabytes that are held when the work is done, with what it returns. */
export function heldMb(work: () => unknown): number {
  const before = heapMb()
  const result = work()
  const held = heapMb() - before
  // Used here, so that it is held until then.
  return Array.isArray(result) && result.length === 0 ? Number.NaN : held
}
