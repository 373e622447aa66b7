import { setImmediate } from 'node:timers/promises'

/** Items sorted or merged in a few milliseconds. */
const STEP = 1 << 16

/**
 * Sorts numbers as `compare` orders them, in steps between which signals are handled: to sort ten million at once would
 * take seconds. Resolves to the sorted numbers; `items` is left in no particular order.
 */
export async function sortInSteps(
  items: Uint32Array,
  compare: (a: number, b: number) => number,
): Promise<Uint32Array> {
  const { length } = items
  for (let at = 0; at < length; at += STEP) {
    items.subarray(at, at + STEP).sort(compare)
    await setImmediate()
  }
  let from = items
  let to: Uint32Array = new Uint32Array(length)
  for (let width = STEP; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length)
      const end = Math.min(middle + width, length)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const [first, second] = [from[left] as number, from[right] as number]
        const isFirst = right === end || (left < middle && compare(first, second) <= 0)
        to[at] = isFirst ? first : second
        if (isFirst) left++
        else right++
        if (at % STEP === 0) await setImmediate()
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
