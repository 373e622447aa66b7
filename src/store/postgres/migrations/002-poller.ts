/** Which instance asks the live feed for all, until when, and its word on the feed. */
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
