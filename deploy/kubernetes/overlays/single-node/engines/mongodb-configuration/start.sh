#!/bin/sh
# Starts a member of the replica set. Its key has to be a file that nobody else can read, and comes as a variable.
set -eu
umask 077
printf '%s' "$MONGODB_REPLICA_KEY" >/run/mongodb/replica.key
unset MONGODB_REPLICA_KEY
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /run/mongodb/replica.key --bind_ip_all --wiredTigerCacheSizeGB 0.5
