import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { Fingerprint } from '../fingerprint.js';
import { readJsonFile } from './read-json-file.js';

/**
 * What a page of a technology looks like, and what is taken for one easily. Read by the linter
 * only.
 */
export interface FingerprintSample {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly html?: string;
  readonly globals?: Readonly<Record<string, string>>;
  readonly requests?: readonly string[];
  /** What must come out. */
  readonly version?: string;
  /** Other technologies that this page rightly shows besides those implied. */
  readonly also?: readonly string[];
}

export type FingerprintEntry = Omit<Fingerprint, 'category'> & {
  /** Missing only where nothing on a page shows it and others imply it, such as a database. */
  readonly samples?: {
    readonly match: readonly FingerprintSample[];
    readonly noMatch: readonly FingerprintSample[];
  };
};

/** One file of `libs/tech/fingerprints`. */
export interface FingerprintFile {
  readonly category: string;
  readonly technologies: readonly FingerprintEntry[];
}

/** The folder is beside the sources and, copied by the build, beside what is built of them. */
export const FINGERPRINTS_FOLDER = fileURLToPath(new URL('../../fingerprints/', import.meta.url));

/** Files with technologies, sorted; the schema is none of them. */
export function fingerprintFiles(): readonly string[] {
  return readdirSync(FINGERPRINTS_FOLDER)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .sort();
}

/** As the linter has checked the files, so they are trusted here. */
export function readFingerprintFile(name: string): FingerprintFile {
  return readJsonFile(path.join(FINGERPRINTS_FOLDER, name)) as FingerprintFile;
}

/** The fingerprints that come with the service. */
export function loadBuiltInFingerprints(): Fingerprint[] {
  return fingerprintFiles().flatMap((name) => {
    const { category, technologies } = readFingerprintFile(name);
    return technologies.map(({ samples: _, ...fingerprint }) => ({ ...fingerprint, category }));
  });
}
