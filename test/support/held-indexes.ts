import type { TestContext } from 'node:test'
import { Client } from 'pg'

/** Indexes of a database that wait to be made. */
export interface HeldIndexes {
  /** How many are being waited for. */
  indexing(): Promise<number>
  /** Holds no more of them. */
  release(): Promise<void>
}

/** Has everybody wait who makes an index in a database. */
export async function holdIndexes(t: TestContext, address: string): Promise<HeldIndexes> {
  const client = new Client({ connectionString: address })
  await client.connect()
  t.after(() => client.end())
  await client.query(`
    select pg_advisory_lock(77);
    create function hold() returns event_trigger language plpgsql as 'begin perform pg_advisory_lock(77); end';
    create event trigger hold on ddl_command_start when tag in ('CREATE INDEX') execute function hold()`)
  return {
    async indexing() {
      const { rows } = await client.query(
        "select from pg_stat_activity where datname = current_database() and query like 'create%index%' and state = 'active'",
      )
      return rows.length
    },
    release: async () => void (await client.query('drop event trigger hold')),
  }
}
