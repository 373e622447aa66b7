/**
 * Creates the tables of releases, current releases, first-seen ids and readings, in the first schema of the search
 * path.
 */
export const registry = `
create table state (
  id integer primary key check (id = 1),
  revision bigint not null,
  history_revision bigint not null
);
insert into state values (1, 0, 0);

create table datasets (
  name text collate "C" primary key,
  last_number integer not null,
  current_number integer,
  current_since text
);

create table releases (
  id bigint primary key,
  dataset text collate "C" not null,
  number integer not null,
  hash text not null,
  rows integer not null,
  published_at text not null,
  source text not null,
  synthetic boolean not null,
  added integer not null,
  changed integer not null,
  removed integer not null,
  unique (dataset, number)
);
create table retired (id bigint primary key, retired_at bigint not null);

create table first_seen (
  dataset text collate "C" not null,
  id text collate "C" not null,
  seen text not null,
  primary key (dataset, id)
);

create table reading_names (
  id integer generated always as identity primary key,
  code text collate "C" not null,
  name text collate "C" not null,
  unique (code, name)
);
create table reading_statuses (
  id integer generated always as identity primary key,
  status text collate "C" not null unique
);
create table observations (at bigint primary key);
create table readings (
  at bigint not null,
  name_id integer not null,
  ordinal integer not null,
  spaces integer not null,
  status_id integer,
  open smallint,
  primary key (at, name_id)
);
create table reading_hours (
  name_id integer not null,
  hour integer not null,
  min integer not null,
  max integer not null,
  sum bigint not null,
  count integer not null,
  first_at bigint not null,
  last_at bigint not null,
  last integer not null,
  primary key (name_id, hour)
);
`
