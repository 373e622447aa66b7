import type { TestContext } from 'node:test'
import { emptyFolder } from './folder.ts'

/** An engine of the store, for the suites that every engine passes. */
export interface TestedEngine {
  readonly name: string
  /** Gives the address of an empty store that goes with the test. */
  readonly emptyStore: (t: TestContext) => Promise<string>
}

export const ENGINES: readonly TestedEngine[] = [
  { name: 'sqlite', emptyStore: async t => `sqlite:${await emptyFolder(t)}` },
]
