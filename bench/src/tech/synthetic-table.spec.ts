import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileFingerprints, loadFingerprints } from '@app/tech';
import { syntheticTable } from './synthetic-table.js';

describe('syntheticTable', () => {
  it('is the same for the same size, and the beginning of a larger one', () => {
    const [small, large] = [syntheticTable(50), syntheticTable(200)];
    expect(syntheticTable(50)).toEqual(small);
    const entries = (table: object): [string, unknown][] =>
      Object.entries((table as { technologies: object }).technologies);
    expect(entries(small)).toEqual(entries(large).slice(0, 50));
    expect(entries(large)).toHaveLength(200);
  });

  it('is read by the loader of operators’ files, with nothing wrong but what is ignored', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'synthetic-'));
    try {
      const file = path.join(folder, 'table.json');
      writeFileSync(file, JSON.stringify(syntheticTable(1_000)));
      const { fingerprints, problems } = loadFingerprints(file);
      expect(problems).toEqual([expect.stringMatching(/^'dns' of \d+ entries is ignored/)]);
      const set = compileFingerprints(fingerprints);
      expect(set).toMatchObject({ size: 1_000, problems: [] });
      expect(set.markCount).toBeGreaterThan(1_500);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
