#!/bin/sh
# Prepares a new primary. PostgreSQL's image runs this script once, before others can reach the server. For the steps and their
# reasons, see docs/how-to/run-on-postgresql.md. Needs PDS_PASSWORD.
set -eu

psql -v ON_ERROR_STOP=1 -v pds="$PDS_PASSWORD" -U "${POSTGRES_USER:-postgres}" -d postgres <<'SQL'
create role pds login password :'pds';
create database pds owner pds encoding 'UTF8' template template0;
revoke connect, temporary on database pds from public;

create role replicator login replication password :'pds';
select pg_create_physical_replication_slot('standby');
SQL

# Only from the server's own networks.
echo 'host replication replicator samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
