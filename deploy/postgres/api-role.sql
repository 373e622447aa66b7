-- A role that can do what an instance needs and no more: read everything, write what it hears of the feed. It can neither
-- publish nor drop a release. Run it once, after `pds migrate`, as an administrator, in the service's database:
--   psql -v password='…' -f deploy/postgres/api-role.sql postgres://…/pds
-- Then DATABASE_URL of instances names pds_api, that of imports and of `pds migrate` names pds, the owner.
\set ON_ERROR_STOP on
begin;
create role pds_api login password :'password';
grant connect on database :"DBNAME" to pds_api;
grant usage on schema pds to pds_api;
grant select on all tables in schema pds to pds_api;
-- Tables of releases to come.
alter default privileges for role pds in schema pds grant select on tables to pds_api;
grant insert, update, delete on pds.observations, pds.readings, pds.reading_hours, pds.reading_names, pds.reading_statuses,
  pds.incidents to pds_api;
grant update on pds.state, pds.leases to pds_api;
commit;
