import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileFingerprints } from '../scan/compile-fingerprints.js';
import { loadBuiltInFingerprints } from './built-in-fingerprints.js';
import { loadFingerprints, type LoadedFingerprints } from './load-fingerprints.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fingerprints-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, value: unknown): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const CATEGORIES = { 1: { name: 'CMS', priority: 1 }, 6: { name: 'Shop' } };

function loaded(technologies: unknown): LoadedFingerprints {
  return loadFingerprints(written('table.json', { technologies, categories: CATEGORIES }));
}

describe('loadFingerprints', () => {
  it('reads every field of an entry', () => {
    const { fingerprints, problems } = loaded({
      Vendor: {
        cats: [6, 1],
        website: 'https://vendor.test',
        description: 'ignored',
        headers: { 'X-V': 'a' },
        cookies: { v: '' },
        meta: { generator: ['a', 'b'] },
        scriptSrc: 'v\\.js',
        scripts: ['v='],
        html: 'h',
        text: 't',
        css: 'c',
        url: 'u',
        xhr: 'x',
        dom: { '#v': { exists: '', text: 't', attributes: { href: 'h' } } },
        js: { 'v.version': '(.+)\\;version:\\1' },
        implies: 'PHP\\;confidence:50',
        requires: 'PHP',
        requiresCategory: 1,
        excludes: ['Other'],
      },
    });
    expect(problems).toEqual([]);
    expect(fingerprints).toEqual([
      {
        name: 'Vendor',
        category: 'Shop',
        website: 'https://vendor.test',
        headers: { 'X-V': ['a'] },
        cookies: { v: [''] },
        meta: { generator: ['a', 'b'] },
        scriptSrc: ['v\\.js'],
        scripts: ['v='],
        html: ['h', 't'],
        css: ['c'],
        url: ['u'],
        network: ['x'],
        dom: { '#v': { exists: '', text: 't', attributes: { href: 'h' } } },
        js: { 'v.version': ['(.+)\\;version:\\1'] },
        implies: ['PHP\\;confidence:50'],
        requires: ['PHP'],
        requiresCategory: ['CMS'],
        excludes: ['Other'],
      },
    ]);
    expect(compileFingerprints(fingerprints).problems).toEqual([]);
  });

  it.each([
    ['a selector', '#a', ['#a']],
    ['a list of them', ['#a', '.b'], ['#a', '.b']],
  ])('reads a dom that is %s', (_, dom, expected) => {
    expect(loaded({ Vendor: { cats: [1], dom } }).fingerprints[0]?.dom).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['a number', 5, 'skipped, the entry is not an object'],
    ['null', null, 'skipped, the entry is not an object'],
    ['a list', [], 'skipped, the entry is not an object'],
    ['headers as text', { headers: 'x' }, 'skipped, headers is not an object'],
    ['a pattern that is a number', { html: 5 }, 'skipped, html holds something but text'],
    [
      'a list with an object',
      { scriptSrc: ['a', {}] },
      'skipped, scriptSrc holds something but text',
    ],
    ['a test that is text', { dom: { a: 'x' } }, "skipped, dom 'a' is not an object"],
    [
      'an unknown category required',
      { requiresCategory: 77 },
      'skipped, requiresCategory: there is no 77',
    ],
    [
      'too many patterns',
      { html: Array.from({ length: 1_001 }, () => 'x') },
      'skipped, a list of more than 1000',
    ],
  ])('skips an entry that is or has %s, and says so', (_, entry, problem) => {
    const { fingerprints, problems } = loaded({ Bad: entry, Good: { cats: [1], html: 'x' } });
    expect(fingerprints.map(({ name }) => name)).toEqual(['Good']);
    expect(problems).toEqual([`Bad: ${problem}`]);
  });

  it('counts marks that a page does not show', () => {
    const { fingerprints, problems } = loaded({
      A: { cats: [1], dns: { TXT: 'a' }, html: 'x' },
      B: { cats: [1], dns: { MX: 'a' }, dom: { a: { properties: { b: '' } } }, robots: 'x' },
    });
    expect(fingerprints).toHaveLength(2);
    expect(problems).toEqual([
      "'dns' of 2 entries is ignored: a page does not show it",
      "'robots' of 1 entries is ignored: a page does not show it",
      "'dom properties' of 1 entries is ignored: a page does not show it",
    ]);
  });

  it('puts entries without a known category into one of their own, and counts them', () => {
    const { fingerprints, problems } = loaded({ A: { html: 'x' }, B: { cats: [99], html: 'x' } });
    expect(fingerprints.map(({ category }) => category)).toEqual(['Other', 'Other']);
    expect(problems).toEqual(["2 entries have no known category: 'Other'"]);
  });

  it('survives names that objects have themselves', () => {
    const file = written(
      'table.json',
      '{"technologies":{"__proto__":{"html":"x","js":{"__proto__":"","constructor":""}},"toString":{"html":"y"}}}',
    );
    const { fingerprints } = loadFingerprints(file);
    expect(fingerprints.map(({ name }) => name)).toEqual(['__proto__', 'toString']);
    expect(compileFingerprints(fingerprints).globalPaths).toEqual(['__proto__', 'constructor']);
  });

  it('cuts the list of problems', () => {
    const bad = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`T${index}`, 1]));
    const { problems } = loaded(bad);
    expect(problems).toHaveLength(501);
    expect(problems.at(-1)).toBe('and 100 more');
  });

  it.each(['tech/categories.json', 'categories.json'])(
    'reads a folder with its %s',
    (categories) => {
      written('tech/a.json', { $schema: '../schema.json', Alpha: { cats: [1], html: 'a' } });
      written('tech/b.json', { Beta: { cats: [6], html: 'b' } });
      written(categories, CATEGORIES);
      const { fingerprints, problems } = loadFingerprints(path.join(folder, 'tech'));
      expect(fingerprints.map(({ name, category }) => [name, category])).toEqual([
        ['Alpha', 'CMS'],
        ['Beta', 'Shop'],
      ]);
      expect(problems).toEqual([]);
    },
  );

  it('reads a file with apps and the categories beside it', () => {
    written('categories.json', CATEGORIES);
    const file = written('data.json', { apps: { Alpha: { cats: [1], html: 'a' } } });
    expect(loadFingerprints(file).fingerprints[0]?.category).toBe('CMS');
  });

  it.each<[string, () => string, RegExp]>([
    ['nothing', () => path.join(folder, 'missing.json'), /cannot read .*missing\.json: ENOENT/],
    ['no JSON', () => written('a.json', '{"technologies":'), /a\.json is not JSON/],
    ['a list', () => written('a.json', []), /a\.json is not an object of entries by name/],
    ['another object', () => written('a.json', { html: 'x' }), /a\.json has no 'technologies'/],
    ['an empty folder', () => folder, /holds no \.json files/],
  ])('throws a clear error for %s', (_, make, message) => {
    expect(() => loadFingerprints(make())).toThrow(message);
  });
});

describe('loadBuiltInFingerprints', () => {
  it('returns the table with categories and without samples', () => {
    const table = loadBuiltInFingerprints();
    const wordpress = table.find(({ name }) => name === 'WordPress');
    expect(wordpress).toMatchObject({ category: 'CMS' });
    expect(wordpress).not.toHaveProperty('samples');
    expect(compileFingerprints(table)).toMatchObject({
      size: table.length,
      problems: [],
      backtracking: [],
    });
  });
});
