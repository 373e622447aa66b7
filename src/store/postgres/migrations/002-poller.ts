/** Creates the lease to poll the live feed, with its holder, expiry and message. */
export const poller = `
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
