# As the official image does: the server makes its configuration from the variables. One that listens at all addresses has
# to say at which one the others find it.
set -eu
export TEMPORAL_BROADCAST_ADDRESS="$(hostname -i | cut -d' ' -f1)"
exec temporal-server start
