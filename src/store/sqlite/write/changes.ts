import { comparison } from '../../registry/comparison.ts'
import type { Changes } from '../../store.ts'
import { openDatabase } from '../driver.ts'

/** Compares two release files. */
export function changesBetween(oldPath: string, newPath: string): Changes {
  const database = openDatabase(newPath, { finished: true })
  try {
    database.attach(oldPath, 'old', { finished: true })
    return { ...(database.prepare(COMPARISON).get() as Changes) }
  } finally {
    database.close()
  }
}

const COMPARISON = comparison('old.contents', 'file.contents', 'min')
