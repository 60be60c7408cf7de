#!/bin/sh
# Crawls a site and writes its page results to standard output, one JSON object per line.
# Usage: sh crawl.sh URL [LIMIT] > site.ndjson
# TRAWL is the address of the API, KEY an API key.
set -eu

url=${1:?usage: crawl.sh URL [LIMIT]}
limit=${2:-50}

# An error status ends the call; its body is printed all the same.
api() {
  curl --silent --show-error --fail-with-body --header "x-api-key: $KEY" "$@"
}

# The first text field of this name in the JSON on standard input.
field() {
  grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

accepted=$(api "$TRAWL/v1/crawl" --header 'content-type: application/json' \
  --data "{\"url\": \"$url\", \"limit\": $limit}") || fail "$accepted"
id=$(printf '%s' "$accepted" | field jobId)
echo "crawl $id" >&2

while :; do
  job=$(api "$TRAWL/v1/jobs/$id") || fail "$job"
  case $(printf '%s' "$job" | field status) in
    completed) break ;;
    failed | cancelled) fail "$job" ;;
  esac
  sleep 1
done

api --compressed "$TRAWL/v1/crawl/$id/results" --header 'accept: application/x-ndjson'
