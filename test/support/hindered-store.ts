import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { cluster } from './postgres.ts'

/** How the first rows inserted into a table are hindered. */
export interface Hindrance {
  readonly table: string
  readonly first: number
  /** A statement of PL/pgSQL. */
  readonly action: string
  /** At the commit instead of the insertion. */
  readonly atCommit?: boolean
}

/** The statement that fails as a conflict with another transaction does. */
export const raise = (state: '40001' | '40P01') => `raise exception 'a conflict' using errcode = '${state}'`

/** A store in a database of its own with a trigger; it counts by a sequence, which is not rolled back. */
export async function hinderedStore(t: TestContext, { table, first, action, atCommit = false }: Hindrance) {
  const address = await (await cluster()).emptyDatabase()
  const store = await openStore(address)
  t.after(() => store.close())
  const client = new Client({ connectionString: address })
  await client.connect()
  t.after(() => client.end())
  const kind = atCommit ? 'constraint trigger hinder after' : 'trigger hinder before'
  await client.query(`
    create sequence public.attempts;
    create function public.hinder() returns trigger language plpgsql as $$
      begin
        if nextval('public.attempts') <= ${first} then ${action}; end if;
        return new;
      end $$;
    create ${kind} insert on pds.${table} ${atCommit ? 'deferrable initially deferred' : ''}
      for each row execute function public.hinder()`)
  let conflicts = 0
  store.onConflict?.(() => conflicts++)
  return {
    address,
    store,
    conflicts: () => conflicts,
    async attempts() {
      return Number((await client.query('select last_value from public.attempts')).rows[0]?.last_value)
    },
  }
}
