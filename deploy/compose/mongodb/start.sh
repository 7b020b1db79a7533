#!/bin/sh
# Starts a member of the replica set. Its key has to be a file that nobody else can read. It comes as a
# variable, or in the file that the service secrets of docker-compose.yml writes.
set -eu
umask 077
printf '%s' "${MONGODB_REPLICA_KEY:-$(cat /run/parlance/replica-key)}" >/run/mongodb/replica.key
unset MONGODB_REPLICA_KEY
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile /run/mongodb/replica.key --bind_ip_all --wiredTigerCacheSizeGB 0.5
