import type { TestContext } from 'node:test'
import { openStore } from '../../src/store/open-store.ts'
import { emptyFolder } from './folder.ts'
import { cluster, postgresFolder } from './postgres.ts'

/** An engine of the store, for the suites that every engine passes. */
export interface TestedEngine {
  readonly name: string
  /** Gives the address of an empty store that goes with the test. */
  readonly emptyStore: (t: TestContext) => Promise<string>
}

export const SQLITE: TestedEngine = {
  name: 'sqlite',
  emptyStore: async t => `sqlite:${await emptyFolder(t)}`,
}
const POSTGRES: TestedEngine = {
  name: 'postgres',
  async emptyStore() {
    template ??= createTemplate()
    return (await cluster()).emptyDatabase(await template)
  },
}

let template: Promise<string> | undefined

/** A database with the tables of a store: to copy it takes a fraction of the time in which they are created. */
async function createTemplate(): Promise<string> {
  const address = await (await cluster()).emptyDatabase()
  await (await openStore(address)).close()
  return new URL(address).pathname.slice(1)
}

/** The engines that can be had here. The tests of PostgreSQL alone say why it is not among them. */
export const ENGINES: readonly TestedEngine[] = postgresFolder() === undefined ? [SQLITE] : [SQLITE, POSTGRES]
