import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crossProblems, entryProblems, nameProblems } from '../test/lint-entry.js';
import {
  FINGERPRINTS_FOLDER,
  fingerprintFiles,
  loadBuiltInFingerprints,
  readFingerprintFile,
} from './load/built-in-fingerprints.js';
import { readTags } from './pattern/compile-pattern.js';
import { compileFingerprints } from './scan/compile-fingerprints.js';

const MIN_ENTRIES = 600;
const MIN_CATEGORIES = 40;

const FILES = fingerprintFiles();
const isValid = new Ajv2020({ allErrors: true, strict: false }).compile(
  JSON.parse(
    readFileSync(path.join(FINGERPRINTS_FOLDER, 'fingerprints.schema.json'), 'utf8'),
  ) as object,
);

const table = loadBuiltInFingerprints();
const set = compileFingerprints(table);
const names = {
  technologies: new Set(table.map(({ name }) => name)),
  categories: new Set(table.map(({ category }) => category)),
  implied: new Set(
    table.flatMap(({ implies: list }) => list ?? []).map((text) => readTags(text).source),
  ),
};
const implies = new Map(table.map(({ name, implies: list }) => [name, list ?? []]));

function impliedBy(name: string): ReadonlySet<string> {
  const all = new Set<string>();
  const pending = [name];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const text of implies.get(next) ?? []) {
      const { source } = readTags(text);
      if (!all.has(source)) pending.push(source);
      all.add(source);
    }
  return all;
}

describe('the table of fingerprints', () => {
  it(`has ${MIN_ENTRIES} technologies in ${MIN_CATEGORIES} categories`, () => {
    expect(table.length).toBeGreaterThanOrEqual(MIN_ENTRIES);
    expect(names.categories.size).toBeGreaterThanOrEqual(MIN_CATEGORIES);
  });

  it('names each technology once', () => {
    const seen = new Set<string>();
    const twice = table.filter(({ name }) => {
      const key = name.toLowerCase();
      return seen.has(key) || !seen.add(key);
    });
    expect(twice.map(({ name, category }) => `${name} (${category})`)).toEqual([]);
  });

  it('has each category in one file', () => {
    const categories = FILES.map((file) => readFingerprintFile(file).category);
    expect(categories.filter((name, at) => categories.indexOf(name) !== at)).toEqual([]);
  });
});

describe.each(FILES)('%s', (file) => {
  const { technologies } = readFingerprintFile(file);

  it('is of the form of the schema', () => {
    isValid(readFingerprintFile(file));
    const lines = (isValid.errors ?? []).map(({ instancePath, message, params }) => {
      const [, , at, ...field] = instancePath.split('/');
      const name = technologies[Number(at)]?.name ?? '';
      return `${name} ${field.join('/')}: ${message} ${JSON.stringify(params)}`;
    });
    expect(lines).toEqual([]);
  });

  it('is sorted by name', () => {
    const found = technologies.map(({ name }) => name.toLowerCase());
    expect(found).toEqual([...found].sort());
  });

  it('has patterns that compile and samples that show them', () => {
    expect(linesOf((entry) => entryProblems(entry))).toEqual([]);
  });

  it('names only technologies and categories that exist', () => {
    expect(linesOf((entry) => nameProblems(entry, names))).toEqual([]);
  });

  it('matches in its samples only the listed technologies', () => {
    expect(linesOf((entry) => crossProblems(entry, set, impliedBy))).toEqual([]);
  });

  function linesOf(problems: (entry: (typeof technologies)[number]) => string[]): string[] {
    return technologies.flatMap((entry) =>
      problems(entry).map((problem) => `${file}: ${entry.name}: ${problem}`),
    );
  }
});
