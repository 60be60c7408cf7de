import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const FOLDER = fileURLToPath(new URL('../assets/', import.meta.url));
const TYPES = {
  'dashboard.css': 'text/css; charset=utf-8',
  'dashboard.mjs': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;
type AssetName = keyof typeof TYPES;

const HASH_CHARS = 16;
const YEAR_SECONDS = 31_536_000;

/** URLs of the assets: each contains the hash of its file, so it can be cached forever. */
export type AssetPaths = Readonly<Record<AssetName, string>>;

export function serveAssets(scope: FastifyInstance): AssetPaths {
  const paths: Partial<Record<AssetName, string>> = {};
  for (const name of Object.keys(TYPES) as AssetName[]) {
    const content = readFileSync(`${FOLDER}${name}`);
    const path = `/dashboard/assets/${hashOf(content)}-${name}`;
    paths[name] = path;
    scope.get(path, async (_request, reply) =>
      reply
        .header('content-type', TYPES[name])
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .send(content),
    );
  }
  return paths as AssetPaths;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS);
}
