#!/usr/bin/env bash
# Creates a resource, reads it, updates it, meets a conflict, and queries.
#
#   TOKEN=$(npx resource-edge token) examples/curl/session.sh [http://127.0.0.1:8787] [demo]
set -euo pipefail
: "${TOKEN:?Set TOKEN: TOKEN=\$(npx resource-edge token)}"
api=${1:-http://127.0.0.1:8787}/${2:-demo}/resource

call() {
  curl -sS -w '\n%{http_code}\n' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"
}

echo '== Create the resource with the key, or update it'
call "$api" -d '{"key":"lamp","title":"Desk lamp","price":40,"tags":["bright","small"]}'

echo '== Read by key, from the source of truth'
read -r record < <(call "$api/key=lamp" -H 'Cache-Control: no-cache')
echo "$record"
id=$(sed 's/.*"id":"\([^"]*\)".*/\1/' <<<"$record")
version=$(sed 's/.*"version":\([0-9]*\).*/\1/' <<<"$record")

update="{\"version\":$version,\"actions\":[{\"action\":\"setPrice\",\"price\":35}]}"
echo '== Update the version that was read'
call "$api/$id" -d "$update" -H "Idempotency-Key: $id-$version"

echo '== Repeat the update: the same Idempotency-Key gets the first response, another one gets 409'
call "$api/$id" -d "$update" -H "Idempotency-Key: $id-$version"
call "$api/$id" -d "$update" -H "Idempotency-Key: another-$id-$version"

echo '== Query'
call -G "$api" --data-urlencode 'where=tags contains any ("bright", "warm") and price < 40' --data-urlencode 'limit=5'
