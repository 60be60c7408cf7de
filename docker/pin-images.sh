#!/bin/sh
# Writes the digests of the images that docker/Dockerfile and docker/compose.yaml name by tag into docker/.env, where
# compose reads them: from then on each build and start uses exactly these. Run it again to move to newer ones.
# Needs docker with buildx and access to the registry.
set -eu
file="${1:-$(dirname "$0")/.env}"
pin() {
  digest="$(docker buildx imagetools inspect "$2" --format '{{.Manifest.Digest}}')"
  case "$digest" in
    sha256:*) ;;
    *) echo "no digest of $2: $digest" >&2; exit 1 ;;
  esac
  echo "$1=$2@$digest"
}
pins="$(
  pin NODE_IMAGE node:24-bookworm-slim
  pin POSTGRES_IMAGE postgres:17.6
  pin RABBITMQ_IMAGE rabbitmq:4.1.4
  pin MINIO_IMAGE minio/minio:RELEASE.2025-09-07T16-13-09Z
)"
umask 077
touch "$file"
rest="$(grep -v '^[A-Z]*_IMAGE=' "$file" || true)"
printf '%s\n' "$rest" "$pins" | sed '/^$/d' > "$file.new"
mv "$file.new" "$file"
echo "$pins"
