# As the official image does: a new cluster gets POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, then the server runs.
set -eu
bin=/usr/lib/postgresql/18/bin
as_server() { setpriv --reuid=server --regid=server --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown -R server:server /var/lib/postgresql
  chmod 700 "$PGDATA"
  password="$(mktemp)"
  printf '%s' "$POSTGRES_PASSWORD" > "$password"
  chown server "$password"
  as_server "$bin/initdb" -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C
  rm "$password"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database \"$POSTGRES_DB\"" | as_server "$bin/postgres" --single -D "$PGDATA" postgres
fi
exec setpriv --reuid=server --regid=server --clear-groups "$bin/postgres" -D "$PGDATA" -c listen_addresses='*' \
  -c unix_socket_directories=/tmp
