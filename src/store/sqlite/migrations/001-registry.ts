/** Creates the tables of releases, current releases, first-seen ids and readings. */
export const registry = `
create table file.state (id integer primary key check (id = 1), revision integer not null);
insert into state values (1, 0);

create table file.datasets (
  name text primary key,
  last_number integer not null,
  current_number integer,
  current_since text
) without rowid;

create table file.releases (
  dataset text not null,
  number integer not null,
  hash text not null,
  file_sha256 text not null,
  rows integer not null,
  published_at text not null,
  source text not null,
  synthetic integer not null,
  added integer not null,
  changed integer not null,
  removed integer not null,
  primary key (dataset, number)
) without rowid;

create table file.first_seen (
  dataset text not null,
  id text not null,
  seen text not null,
  primary key (dataset, id)
) without rowid;

-- Two years of readings are some millions of rows: names and words are held once each.
create table file.reading_names (id integer primary key, code text not null, name text not null, unique (code, name));
create table file.reading_statuses (id integer primary key, status text not null unique);
create table file.observations (at integer primary key);
create table file.readings (
  at integer not null,
  ordinal integer not null,
  name_id integer not null,
  spaces integer not null,
  status_id integer not null,
  open integer not null,
  primary key (at, ordinal)
) without rowid;
`
