import { DEMO_SEED } from '../../demo/island-facts.ts'
import { vehiclesCsv } from '../../demo/vehicles/vehicles.ts'

export interface VehiclesSource {
  readonly rows: number
  /** Whether the colour of the first vehicle is changed. */
  readonly changed?: boolean
}

/**
 * Vehicles as the CSV of the register, in pieces. The demo's own vehicles come first, then the vehicles of the next seeds. So a
 * larger register contains every smaller one.
 */
export function* vehiclesSource({ rows, changed = false }: VehiclesSource): Generator<string> {
  let left = rows
  for (let seed = DEMO_SEED; left > 0; seed++) {
    let isFirst = true
    for (const piece of vehiclesCsv(seed)) {
      const lines = piece.split('\n')
      // The text after the last line break is empty.
      lines.pop()
      const header = isFirst ? lines.shift() : undefined
      const taken = lines.slice(0, left)
      left -= taken.length
      if (isFirst && seed === DEMO_SEED) {
        if (changed && taken[0] !== undefined) taken[0] = repainted(taken[0])
        taken.unshift(header ?? '')
      }
      isFirst = false
      if (taken.length > 0) yield `${taken.join('\n')}\n`
      if (left === 0) return
    }
  }
}

/** A colour that no vehicle has. The colour is the seventh field from the end. */
function repainted(line: string): string {
  const fields = line.split(',')
  fields[fields.length - 7] = 'Benchmark Beige'
  return fields.join(',')
}
