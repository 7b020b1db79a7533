#!/bin/sh
# Leaves in a compiled checkout the parts that an image runs: bundles, migrations and packages, without their sources. It
# deletes the rest of the folder that it is in, so it runs in an image's build and nowhere else. Argument: platform or voice.
set -eu
cd "$(dirname "$0")/../.."
image=$1
if [ -e .git ]; then
  echo "$PWD is somebody's checkout; this is for the image's build." >&2
  exit 1
fi

# npm needs the folder of every workspace in the lock file, so the ones that the image runs are installed by name.
case $image in
  platform)
    kept='console gateway libs packages services runtime tools/provision'
    workspaces="gateway tools/provision runtime/process $(echo services/*)"
    ;;
  voice)
    kept='libs runtime'
    workspaces='runtime/conversation libs/ops-listener'
    ;;
esac

find $kept -path '*/node_modules' -prune -o -type d -name src -print | xargs rm -rf
find $kept -path '*/node_modules' -prune -o -type f \
  \( -name '*.d.ts' -o -name '*.d.ts.map' -o -name '.tsbuildinfo' -o -name 'tsconfig*.json' \) -print |
  xargs rm -f

rm -rf node_modules
node deploy/image/production-manifests.mjs
set --
for workspace in $workspaces; do set -- "$@" --workspace "$workspace"; done
npm ci --omit=dev --ignore-scripts --no-audit --no-fund "$@"

# pdfjs-dist draws pages with the canvas, and the platform only reads their text. No process reads types and source maps of packages.
rm -rf node_modules/@napi-rs/canvas*
find . -path '*/node_modules/*' -type f \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# `import` resolves to esm.
rm -rf node_modules/gpt-tokenizer/cjs node_modules/gpt-tokenizer/data node_modules/gpt-tokenizer/src

rm -rf deploy/image/production-manifests.mjs examples sandbox scripts tests runtime/speech
case $image in
  platform)
    rm -rf runtime/voice
    find tools -mindepth 1 -maxdepth 1 ! -name provision -exec rm -rf {} +
    ;;
  voice) rm -rf console gateway packages services tools deploy runtime/process ;;
esac
