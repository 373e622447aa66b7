import type { Random } from '../../demo/random.ts'
import type { Fault, Faults } from './stage.ts'

/** Faults without end: those of each list in turn, shuffled, and then others over and over, shuffled each time. */
export function* inAnyOrder(
  random: Random,
  once: readonly Faults[],
  afterwards: Faults,
): Generator<[string, Fault]> {
  for (const list of once) yield* shuffled(random, list)
  for (;;) yield* shuffled(random, afterwards)
}

function shuffled(random: Random, faults: Faults): [string, Fault][] {
  const left = Object.entries(faults)
  return Object.keys(faults).flatMap(() => left.splice(random.int(0, left.length - 1), 1))
}
