#!/bin/sh
# Leaves in a compiled checkout only the parts that the image runs: no sandbox, no tests, no tools, no sources. It
# deletes the rest of the folder that it is in, so it runs in the image's build and nowhere else.
set -eu
cd "$(dirname "$0")/../.."
if [ -e .git ]; then
  echo "$PWD is somebody's checkout; this is for the image's build." >&2
  exit 1
fi

rm -rf bench deploy/compose deploy/kubernetes deploy/sandbox docs examples tools/client-codegen tests/fixtures scripts
find console gateway libs services deploy/image -path '*/node_modules' -prune -o -type d \( -name src -o -name testing \) -print |
  xargs rm -rf
find console gateway libs services deploy/image -path '*/node_modules' -prune -o -type f \
  \( -name '*.spec.*' -o -name '*.d.ts' -o -name '*.d.ts.map' -o -name '.tsbuildinfo' -o -name 'tsconfig.json' \) -print |
  xargs rm -f

# npm wants every workspace of the lock file to be there, so they are installed by name.
rm -rf node_modules
set -- --workspace gateway --workspace deploy/image
for service in services/*; do set -- "$@" --workspace "$service"; done
npm ci --omit=dev --ignore-scripts --no-audit --no-fund "$@"
# npm makes folders of workspaces that it was not asked for.
rm -rf bench deploy/compose deploy/kubernetes deploy/sandbox examples tools/client-codegen tests/fixtures
