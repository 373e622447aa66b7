import { OldStoreError } from '../store.ts'

/** The parts of the registry's schema that differ between engines. */
interface SchemaDialect {
  /** Precedes the names of tables. */
  readonly prefix: string
  /** The type of text that is compared by its bytes. */
  readonly text: string
  /** The declaration of a key that the database assigns. */
  readonly assignedKey: string
  /** Follows a table whose rows are stored in the order of its primary key, if the engine can do that. */
  readonly clustered: string
}

/** The version of the schema, which earlier versions of the service refuse if they do not know it: that of 1.0.0. */
export const SCHEMA = 4

/** The tables of version 1.0.0, which never change. */
export const firstTables = ({ prefix, text, assignedKey, clustered }: SchemaDialect): string => `
create table ${prefix}state (
  id integer primary key check (id = 1),
  revision bigint not null,
  history_revision bigint not null
);
insert into ${prefix}state values (1, 0, 0);

create table ${prefix}datasets (
  name ${text} primary key,
  last_number integer not null,
  current_number integer,
  current_since text
)${clustered};

create table ${prefix}releases (
  dataset ${text} not null,
  number integer not null,
  hash text not null,
  locator text not null,
  rows integer not null,
  published_at text not null,
  source text not null,
  synthetic integer not null,
  added integer not null,
  changed integer not null,
  removed integer not null,
  retired_at bigint,
  primary key (dataset, number)
)${clustered};

create table ${prefix}first_seen (
  dataset ${text} not null,
  id ${text} not null,
  seen text not null,
  primary key (dataset, id)
)${clustered};

-- Two years of readings are some millions of rows: names and statuses are stored once each.
create table ${prefix}reading_names (
  id ${assignedKey},
  code ${text} not null,
  name ${text} not null,
  unique (code, name)
);
create table ${prefix}reading_statuses (id ${assignedKey}, status ${text} not null unique);
create table ${prefix}observations (at bigint primary key)${clustered};
create table ${prefix}readings (
  at bigint not null,
  name_id integer not null,
  ordinal integer not null,
  spaces integer not null,
  status_id integer,
  open smallint,
  primary key (at, name_id)
)${clustered};
-- Hourly summaries: a year of a car park is 9,000 rows.
create table ${prefix}reading_hours (
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
)${clustered};

-- The state of each followed source, as JSON.
create table ${prefix}sources (dataset ${text} primary key, state text not null)${clustered};

-- What the operator has been told of, and is not over; the data is JSON.
create table ${prefix}incidents (key ${text} primary key, type text not null, data text not null)${clustered};

-- Null for readings of the feed, and for those that were imported before batches were kept.
alter table ${prefix}readings add column batch integer;
-- An import each, also one whose readings are gone, so that no number is given twice. Times are those of its source.
create table ${prefix}reading_batches (
  number integer primary key,
  imported_at text not null,
  source text not null,
  first_at bigint not null,
  last_at bigint not null,
  skipped integer not null
);

-- The positions of a release that are not those of its source, as JSON; null for none.
alter table ${prefix}releases add column held_back text;

create table ${prefix}release_files (
  dataset ${text} not null,
  number integer not null,
  name text not null,
  bytes bigint,
  sha256 text,
  digest text not null,
  filled text,
  primary key (dataset, number)
)${clustered};
`

/**
 * The tables that versions after 1.0.0 have added, by name. Opening a store adds those that are missing. The version of the schema stays,
 * and so do the other tables: earlier versions can go on using the store.
 */
export const addedTables = ({ prefix, text, clustered }: SchemaDialect) => ({
  journal: `
-- What happened to the releases of a dataset. The report is JSON, and so are the counts of the release's records by field.
create table ${prefix}journal (
  dataset ${text} not null, number integer not null, event text not null, at text not null, last text not null,
  times integer not null, actor text not null, release integer, source text not null, hash text, detail text,
  report text, counts text,
  primary key (dataset, number)
)${clustered};
`,
})

/** The error for a store from before 1.0.0. */
export const developmentStore = (shown: string): OldStoreError =>
  new OldStoreError(
    `${shown} was made by a development version from before 1.0.0: back it up with that version (\`pds backup FILE\`), and restore ` +
      'the file into a new store with this one (`pds restore FILE`)',
  )

/** The error for a store without tables of this version, which this process may not add. */
export const incompleteStore = (shown: string, missing: readonly string[]): OldStoreError =>
  new OldStoreError(
    `${shown} lacks ${missing.join(', ')}, which this version adds and this user may not: run \`pds migrate\` as the owner`,
  )
