import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Settings } from '@app/config';

const SECRET_BYTES = 32;

/** Settings of a standalone service: every missing address gets its embedded default in the data folder. */
export function embeddedSettings(settings: Settings, databaseUrl: string): Settings {
  const dataDir = path.resolve(settings.dataDir);
  return {
    ...settings,
    dataDir,
    databaseUrl,
    brokerUrl: settings.brokerUrl ?? 'memory:',
    storageUrl: settings.storageUrl ?? `file:${path.join(dataDir, 'blobs')}`,
    downloadSecret: settings.downloadSecret ?? keptSecret(path.join(dataDir, 'download-secret')),
    profileKeys: settings.profileKeys || keptSecret(path.join(dataDir, 'profile-key')),
    bootstrapTenant: true,
  };
}

/** A random secret that survives restarts, so that download links stay valid and profiles can be opened. */
function keptSecret(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  writePrivate(file, secret);
  return secret;
}

/** Writes a file that only its owner may read. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
