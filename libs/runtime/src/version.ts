import { readFileSync } from 'node:fs';

/** Version of this build; equal to package.json's (kept by a test). */
export const VERSION = '0.1.0';

/** Commit of this build, which images keep in `dist/revision`. */
export const REVISION = readRevision(new URL('../../../revision', import.meta.url));

export function readRevision(file: URL): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown';
  } catch {
    // Built from a working copy: no image wrote one.
    return 'unknown';
  }
}
