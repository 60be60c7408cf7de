import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SettingsError } from '@app/config';
import type { Logger } from '@app/telemetry';
import { openFingerprints } from './start-tech-scan.js';

describe('openFingerprints', () => {
  let folder: string;
  const lines: [string, object, string][] = [];
  const log = {
    info: (fields: object, text: string) => lines.push(['info', fields, text]),
    warn: (fields: object, text: string) => lines.push(['warn', fields, text]),
  } as unknown as Logger;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'trawl-fingerprints-'));
    lines.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (text: string): string => {
    const file = path.join(folder, 'own.json');
    writeFileSync(file, text);
    return file;
  };
  const ownFile = (technologies: object): string =>
    write(JSON.stringify({ categories: { 1: { name: 'CMS' } }, technologies }));

  it('returns the bundled ones if there are no others', () => {
    const { fingerprints, size } = openFingerprints('', log);
    expect(size).toBe(fingerprints.length);
    expect(size).toBeGreaterThan(0);
    expect(lines).toEqual([['info', { builtIn: size, own: 0, all: size }, 'fingerprints loaded']]);
  });

  it("adds the operator's, and reports the invalid ones", () => {
    const builtIn = openFingerprints('', log).size;
    lines.length = 0;
    const file = ownFile({ Own: { cats: [1], html: 'own' }, Wrong: 7, Odd: null });
    expect(openFingerprints(file, log).size).toBe(builtIn + 1);
    expect(lines).toEqual([
      ['info', { builtIn, own: 1, all: builtIn + 1 }, 'fingerprints loaded'],
      [
        'warn',
        {
          path: file,
          problems: 2,
          shown: [expect.stringMatching(/^Wrong/), expect.stringMatching(/^Odd/)],
        },
        'invalid fingerprints',
      ],
    ]);
  });

  it("replaces a bundled one by the operator's of the same name", () => {
    const { fingerprints, size } = openFingerprints('', log);
    const name = fingerprints[0]?.name ?? '';
    const own = openFingerprints(ownFile({ [name]: { cats: [1], html: 'own' } }), log);
    expect(own.size).toBe(size);
    expect([own.fingerprints.findLast((one) => one.name === name)?.html].flat()).toEqual(['own']);
  });

  it.each<[string, () => string]>([
    ['a missing file', () => path.join(folder, 'none.json')],
    ['no JSON', () => write('{"technologies":')],
    ['something else', () => write('[]')],
    ['a file without entries', () => ownFile({})],
    ['a file without a valid entry', () => ownFile({ Wrong: 7 })],
    ['an empty folder', () => folder],
  ])('rejects %s, and names the setting', (_what, make) => {
    const file = make();
    const open = (): unknown => openFingerprints(file, log);
    expect(open).toThrow(SettingsError);
    expect(open).toThrow(`TECH_FINGERPRINTS_PATH: ${JSON.stringify(file)} cannot be used: `);
  });
});
