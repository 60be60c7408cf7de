import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  compileFingerprints,
  type Fingerprint,
  type FingerprintSet,
  loadBuiltInFingerprints,
  loadFingerprints,
} from '@app/tech';
import { syntheticTable } from './synthetic-table.js';

/** A table ready to be measured. */
export interface Table {
  readonly name: string;
  readonly set: FingerprintSet;
  readonly compileMs: number;
}

export const OWN = 'own table';
export const SMALL = 'synthetic 750';
export const LARGE_TABLE = 'synthetic 7,500';

/** Our table, the made-up ones through the loader of operators' files, and the file that was named. */
export async function makeTables(workDir: string, data: string | null): Promise<readonly Table[]> {
  const synthetic = async (size: number): Promise<Fingerprint[]> => {
    const file = path.join(workDir, `synthetic-${size}.json`);
    await mkdir(workDir, { recursive: true });
    await writeFile(file, JSON.stringify(syntheticTable(size)));
    return loadFingerprints(file).fingerprints;
  };
  return [
    compiled(OWN, loadBuiltInFingerprints()),
    compiled(SMALL, await synthetic(750)),
    compiled(LARGE_TABLE, await synthetic(7_500)),
    ...(data === null ? [] : [compiled(path.basename(data), loadFingerprints(data).fingerprints)]),
  ];
}

function compiled(name: string, list: readonly Fingerprint[]): Table {
  const startedAtMs = performance.now();
  const set = compileFingerprints(list);
  return { name, set, compileMs: performance.now() - startedAtMs };
}
