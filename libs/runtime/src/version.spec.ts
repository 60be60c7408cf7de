import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readRevision } from './version.js';

describe('the revision of a build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'revision-'));
  const file = path.join(folder, 'revision');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['4f1c2d\n', '4f1c2d'],
    ['\n', 'unknown'],
  ])('%j is read as %s', (written, revision) => {
    writeFileSync(file, written);
    expect(readRevision(pathToFileURL(file))).toBe(revision);
  });

  it('is unknown where no image wrote it', () => {
    expect(readRevision(pathToFileURL(path.join(folder, 'none')))).toBe('unknown');
  });
});
