import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import type { Table } from '../../store/layout.ts'

/** The part of a snapshot that answers vehicle queries. */
export function registerOf(snapshot: Snapshot): Table {
  if (snapshot.table === undefined) throw new Error('a vehicles snapshot holds no table')
  return snapshot.table
}
