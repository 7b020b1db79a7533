#!/bin/sh
# What a container of the platform's image runs, by name: gateway, a service, or one of the image's own commands.
#   docker run ... parlance calls-logs            docker run ... parlance calls-logs rebuild all
#   docker run ... parlance migrate all           docker run ... parlance provision
#   docker exec ... /app/deploy/image/entrypoint.sh health
set -eu
cd "$(dirname "$0")/../.."
name=${1:-}
[ "$#" -gt 0 ] && shift

# Tracing patches libraries before anything imports them; without a collector it does nothing.
serve() {
  exec node --enable-source-maps --import @parlance/observability/preload "$@"
}

case $name in
  gateway) serve gateway/dist/main.js "$@" ;;
  doctor) exec node --enable-source-maps libs/doctor/dist/main.js "$@" ;;
  settings | provision | migrate | wait | health) exec node --enable-source-maps deploy/image/dist/main.js "$name" "$@" ;;
esac
if [ -n "$name" ] && [ -f "services/$name/dist/main.js" ]; then serve "services/$name/dist/main.js" "$@"; fi
echo "This image runs: gateway $(cd services && echo *) settings provision migrate wait health doctor, not \"$name\"." >&2
exit 2
