-- A role with only the rights that an instance needs: read everything, and write readings of the feed, incidents and leases. The
-- role cannot publish or drop a release. Run this once, after `pds migrate`, as an administrator, in the service's database:
--   psql -v password='…' -f deploy/postgres/api-role.sql postgres://…/pds
-- Then name pds_api in DATABASE_URL of instances, and pds, the owner, in DATABASE_URL of imports and of `pds migrate`.
\set ON_ERROR_STOP on
begin;
create role pds_api login password :'password';
grant connect on database :"DBNAME" to pds_api;
grant usage on schema pds to pds_api;
grant select on all tables in schema pds to pds_api;
-- For the tables of future releases.
alter default privileges for role pds in schema pds grant select on tables to pds_api;
grant insert, update, delete on pds.observations, pds.readings, pds.reading_hours, pds.reading_names, pds.reading_statuses,
  pds.incidents to pds_api;
grant update on pds.state, pds.leases to pds_api;
commit;
