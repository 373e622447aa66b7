import { oncePerSnapshot, type Snapshot } from '../../releases/snapshot.ts'
import type { Table } from '../../store/layout.ts'

/** The part of a snapshot that answers vehicle queries. */
export function registerOf(snapshot: Snapshot): Table {
  if (snapshot.table === undefined) throw new Error('a vehicles snapshot holds no table')
  return snapshot.table
}

/** The fuel types that the register holds, asked once per release. */
export const fuelTypesOf = oncePerSnapshot(async snapshot => {
  const counts = await registerOf(snapshot).countBy('fuelType', [])
  return counts.map(([fuelType]) => fuelType)
})
