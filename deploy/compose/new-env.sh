#!/bin/sh
# Prints .env.example with a new value for every variable that has to be set: sh deploy/compose/new-env.sh > .env
# It needs openssl. Values are made by the commands that .env.example names, and go nowhere else.
set -eu
umask 077
make=
while IFS= read -r line; do
  case $line in
    '# '*'Make one: '*) make=${line#*Make one: } ;;
    [A-Z]*=) [ -z "$make" ] || line=$line$(eval "$make") ;;
    '') make= ;;
  esac
  printf '%s\n' "$line"
done <"$(dirname "$0")/../../.env.example"
