#!/bin/sh
# Writes docker/.env with random passwords, once: the databases keep the passwords of their first start.
set -eu
file="${1:-$(dirname "$0")/.env}"
if [ -e "$file" ]; then
  echo "$file is there already; the passwords in it stay"
  exit 0
fi
umask 077
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
cat > "$file" <<ENV
POSTGRES_PASSWORD=$(random)
API_DATABASE_PASSWORD=$(random)
FETCHER_DATABASE_PASSWORD=$(random)
RABBITMQ_PASSWORD=$(random)
MINIO_PASSWORD=$(random)
API_STORAGE_SECRET=$(random)
FETCHER_STORAGE_SECRET=$(random)
TECH_SCAN_STORAGE_SECRET=$(random)
PROFILE_KEYS=$(head -c 32 /dev/urandom | base64)
ENV
echo "wrote $file"
