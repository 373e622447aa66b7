#!/bin/sh
# Makes a standby of a primary unless it exists, then runs the server. Needs PRIMARY, the primary's host, and
# REPLICATION_PASSWORD.
set -eu

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Copies to another folder first, so that an interrupted copy is never taken for a whole one.
  rm -rf "$PGDATA.part" "$PGDATA"
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --pgdata="$PGDATA.part" --host="$PRIMARY" --port="${PRIMARY_PORT:-5432}" \
    --username=replicator --write-recovery-conf --slot=standby --wal-method=stream --checkpoint=fast
  chmod 700 "$PGDATA.part"
  mv "$PGDATA.part" "$PGDATA"
fi

exec docker-entrypoint.sh "$@"
