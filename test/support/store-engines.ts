import type { TestContext } from 'node:test'
import type { TableOptions } from '../../src/store/engine.ts'
import { openStore } from '../../src/store/open-store.ts'
import { emptySchema, NO_CITUS } from './citus.ts'
import { emptyFolder } from './folder.ts'
import { cluster, postgresFolder } from './postgres.ts'

/** An engine of the store, for the suites that every engine passes. */
export interface TestedEngine {
  readonly name: string
  /** Gives the address of an empty store that goes with the test. */
  readonly emptyStore: (t: TestContext) => Promise<string>
  /** How the store keeps tables, if not as by default. */
  readonly tables?: TableOptions
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

const BY_SQL: TestedEngine = {
  ...POSTGRES,
  name: 'postgres by SQL',
  tables: { engine: 'sql', prerenderBytes: 0 },
}

/** What `TABLE_ENGINE` can be here. */
export const TABLE_KINDS: readonly TableOptions['engine'][] = ENGINES.includes(POSTGRES)
  ? ['memory', 'sql']
  : ['memory']

/** The ways in which a store keeps tables. */
export const TABLE_ENGINES: readonly TestedEngine[] = ENGINES.includes(POSTGRES)
  ? [...ENGINES, BY_SQL]
  : ENGINES

/** Those, and PostgreSQL whose rows Citus distributes. Where Citus is missing, the tests of the rows say so. */
export const DISTRIBUTED_TABLE_ENGINES: readonly TestedEngine[] = NO_CITUS
  ? TABLE_ENGINES
  : [...TABLE_ENGINES, { ...BY_SQL, name: 'Citus by SQL', emptyStore: emptySchema }]
