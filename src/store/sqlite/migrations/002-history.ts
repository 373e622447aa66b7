/**
 * Stores readings by car park and time, also from files that lack some fields; hourly summaries, so that a year is
 * 9,000 rows; and the revision of imports of readings.
 */
export const history = `
alter table file.state add column history_revision integer not null default 0;

create table file.history_readings (
  at integer not null,
  name_id integer not null,
  ordinal integer not null,
  spaces integer not null,
  status_id integer,
  open integer,
  primary key (at, name_id)
) without rowid;
insert or ignore into file.history_readings
  select at, name_id, ordinal, spaces, status_id, open from file.readings;
drop table file.readings;
alter table file.history_readings rename to readings;

create table file.reading_hours (
  name_id integer not null,
  hour integer not null,
  min integer not null,
  max integer not null,
  sum integer not null,
  count integer not null,
  first_at integer not null,
  last_at integer not null,
  last integer not null,
  primary key (name_id, hour)
) without rowid;
insert into file.reading_hours
  select name_id, at / 3600000, min(spaces), max(spaces), sum(spaces), count(*), min(at), max(at),
    max(at * 131072 + spaces) % 131072
  from file.readings group by 1, 2;
`
