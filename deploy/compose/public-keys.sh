#!/bin/sh
# Prints CALLER_PUBLIC_KEYS for the private keys among the variables on its standard input: sh deploy/compose/public-keys.sh < .env
# It needs openssl.
set -eu
separator=
sed -n 's/^\([A-Z_]*\)_CALLER_PRIVATE_KEY=\(..*\)$/\1 \2/p' | while read -r name key; do
  printf '%s%s:' "$separator" "$(printf %s "$name" | tr A-Z_ a-z-)"
  printf '%s\n' "$key" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A
  separator=,
done
