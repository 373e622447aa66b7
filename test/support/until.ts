import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 60_000

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>

/** Waits for a condition to give something truthy, and gives that; fails after a minute unless told otherwise. */
export async function until<T>(
  condition: () => T | Promise<T>,
  what = 'the condition',
  patienceMs = PATIENCE_MS,
): Promise<Truthy<T>> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await condition()
    if (value) return value as Truthy<T>
    if (Date.now() > deadline) throw new Error(`${what} did not come true within ${patienceMs / 1000} s`)
    await pause(20)
  }
}
