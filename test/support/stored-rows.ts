import type { TestContext } from 'node:test'
import type { Client } from 'pg'
import type { TableLayout } from '../../src/query/layout.ts'
import type { Collection, StoredRecord } from '../../src/query/query.ts'
import { contentOf } from '../../src/store/encoding/content.ts'
import { readAddress } from '../../src/store/postgres/connect/address.ts'
import { openSession, registryOver, singleConnection } from '../../src/store/postgres/connect/session.ts'
import { rowsOf } from '../../src/store/postgres/release-tables.ts'
import { startRows } from '../../src/store/postgres/rows/rows-builder.ts'
import { rowsCollection } from '../../src/store/postgres/rows/rows-collection.ts'
import { cluster } from './postgres.ts'
import { run } from './postgres-server.ts'
import { VEHICLES } from './stored-vehicles.ts'

/** A schema with what the rows of a release need of a store, over one connection. */
export interface RowStore {
  readonly address: string
  readonly schema: string
  readonly client: Client
  /** The statements that collections have sent. */
  readonly statements: string[]
  build(layout?: TableLayout): ReturnType<typeof startRows>
  /** Builds and places a release, and opens it. */
  publish(records: readonly StoredRecord[], layout?: TableLayout): Promise<PublishedRows>
}

export interface PublishedRows {
  readonly name: string
  readonly collection: Collection
}

/** Opens a schema in a database of its own; `prepare` makes the schema, and may name another user. */
export async function openRowStore(t: TestContext, prepare = createSchema): Promise<RowStore> {
  const address = await prepare(await (await cluster()).emptyDatabase())
  const target = readAddress(address)
  const { schema } = target
  const session = await openSession(target)
  const { client } = session
  t.after(session.end)
  await client.query(
    `create table ${schema}.release_pieces (name text, piece integer, bytes bytea, primary key (name, piece))`,
  )
  const statements: string[] = []
  const recording = {
    query(text: string, values: unknown[]) {
      statements.push(text.replace(/\s+/g, ' ').trim())
      return client.query(text, values)
    },
  } as Pick<Client, 'query'>
  const database = registryOver(singleConnection(recording), target)
  const build = (layout = VEHICLES) => startRows(target, session, layout)
  return {
    ...{ address, schema, client, statements, build },
    async publish(given, layout = VEHICLES) {
      const builder = await build(layout)
      for (const record of given) {
        const content = contentOf(record)
        await builder.append(content, record, content)
      }
      await builder.seal(() => {})
      const { name } = await builder.place(1)
      return { name, collection: rowsCollection(database, rowsOf(schema, name), layout, given.length) }
    },
  }
}

async function createSchema(address: string): Promise<string> {
  await run(address, 'create schema pds')
  return address
}
