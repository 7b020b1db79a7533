#!/bin/sh
# What a container of the platform's image runs, by name: gateway, a service, or one of the image's own commands.
#   docker run ... parlance calls-logs            docker run ... parlance calls-logs rebuild all
#   docker run ... parlance migrate all           docker run ... parlance provision
#   docker exec ... /app/deploy/image/entrypoint.sh health
set -eu
cd "$(dirname "$0")/../.."
name=${1:-}
[ "$#" -gt 0 ] && shift

run() {
  exec node --enable-source-maps "$@"
}

case $name in
  doctor) run libs/doctor/dist/main.js "$@" ;;
  settings | secrets | credentials | provision | migrate | wait | health) run tools/provision/dist/programs/commands.js "$name" "$@" ;;
esac
if [ "$name" = gateway ] || [ "$name" = text-runtime ] || { [ -n "$name" ] && [ -d "services/$name" ]; }; then
  run tools/provision/dist/programs/serve.js "$name" "$@"
fi
echo "This image runs: gateway $(cd services && echo *) text-runtime settings secrets credentials provision migrate wait health doctor, not \"$name\"." >&2
exit 2
