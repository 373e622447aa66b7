import { registrySchema } from '../registry/schema.ts'

/** The lease to poll the live feed, with its holder, expiry and message. */
const POLLER = `
create table poller (
  id integer primary key check (id = 1),
  holder text,
  until timestamptz not null,
  number bigint not null,
  told text,
  told_at timestamptz
);
insert into poller (id, until, number) values (1, '-infinity', 0);
`

const TABLES = registrySchema({
  prefix: '',
  text: 'text collate "C"',
  assignedKey: 'integer generated always as identity primary key',
  clustered: '',
})

/**
 * The schema, step by step, in the first schema of the search path; step n makes version n of it. Released steps never
 * change.
 */
export const MIGRATIONS: readonly string[] = [TABLES + POLLER]
