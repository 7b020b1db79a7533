#!/bin/sh
# Prints .env.example with a new value for every variable that has to be set: sh deploy/compose/new-env.sh > .env
# It needs openssl. Values are made by the commands that .env.example names, and go nowhere else. A command finds the variables
# that were made before it on its standard input.
set -eu
umask 077
cd "$(dirname "$0")/../.."
make=
made=
newline='
'
while IFS= read -r line; do
  case $line in
    '# '*'Make one: '*) make=${line#*Make one: } ;;
    [A-Z]*=)
      [ -z "$make" ] || line=$line$(printf %s "$made" | eval "$make")
      made=$made$line$newline
      ;;
    '') make= ;;
  esac
  printf '%s\n' "$line"
done <.env.example
