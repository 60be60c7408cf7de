import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Fingerprint } from '../fingerprint.js';
import { asRecord, EntryProblem, OTHER_CATEGORY, readEntry } from './read-entry.js';
import { isFolder, readJsonFile } from './read-json-file.js';

export interface LoadedFingerprints {
  readonly fingerprints: Fingerprint[];
  /** What was skipped or ignored and why, a line each, at most {@link MAX_PROBLEMS} and a sum. */
  readonly problems: string[];
}

const MAX_ENTRIES = 50_000;
const MAX_PROBLEMS = 500;
/** Of a folder these are no technologies. */
const BESIDE = new Set(['categories.json', 'groups.json', 'schema.json']);

/**
 * Reads an operator's fingerprints as Wappalyzer and webappanalyzer write them: a file with `technologies` (or
 * `apps`) and `categories`, or a folder of files with entries by name and a `categories.json` in it or beside
 * it. An entry that is not of the form is skipped and named in `problems`; patterns are judged when they are
 * compiled. Throws an error with a clear text when there is nothing to read or it is no JSON.
 */
export function loadFingerprints(source: string): LoadedFingerprints {
  const loading = new Loading();
  if (isFolder(source)) loading.folder(source);
  else loading.file(source);
  return loading.result();
}

class Loading {
  private readonly byName = new Map<string, Fingerprint>();
  private readonly problems: string[] = [];
  private readonly ignored = new Map<string, number>();
  private categories = new Map<string, string>();

  file(file: string): void {
    const value = asObject(readJsonFile(file), file);
    this.readCategories(value['categories']);
    const entries = value['technologies'] ?? value['apps'];
    if (entries === undefined) throw new Error(`fingerprints: ${file} has no 'technologies'`);
    if (this.categories.size === 0) this.categoriesBeside(path.dirname(file));
    this.entries(asObject(entries, file), file);
  }

  folder(folder: string): void {
    this.categoriesBeside(folder);
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !BESIDE.has(name))
      .sort();
    if (files.length === 0) throw new Error(`fingerprints: ${folder} holds no .json files`);
    for (const name of files) {
      const file = path.join(folder, name);
      this.entries(asObject(readJsonFile(file), file), file);
    }
  }

  result(): LoadedFingerprints {
    const fingerprints = [...this.byName.values()];
    const strays = fingerprints.filter(({ category }) => category === OTHER_CATEGORY).length;
    if (strays > 0)
      this.problems.push(`${strays} entries have no known category: '${OTHER_CATEGORY}'`);
    for (const [field, count] of this.ignored)
      this.problems.push(`'${field}' of ${count} entries is ignored: a page does not show it`);
    const more = this.problems.length - MAX_PROBLEMS;
    const shown = this.problems.slice(0, MAX_PROBLEMS);
    return { fingerprints, problems: more > 0 ? [...shown, `and ${more} more`] : shown };
  }

  private categoriesBeside(folder: string): void {
    const places = [folder, path.dirname(folder)].map((place) =>
      path.join(place, 'categories.json'),
    );
    const file = places.find((place) => existsSync(place));
    if (file !== undefined) this.readCategories(readJsonFile(file));
  }

  private readCategories(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [id, category] of Object.entries(value as Record<string, unknown>)) {
      const name = (category as { readonly name?: unknown } | null)?.name;
      if (typeof name === 'string' && name !== '') this.categories.set(id, name);
    }
  }

  private entries(entries: Readonly<Record<string, unknown>>, file: string): void {
    for (const [name, value] of Object.entries(entries)) {
      // A schema's address among the entries is none.
      if (name.startsWith('$')) continue;
      if (this.byName.size >= MAX_ENTRIES)
        throw new Error(`fingerprints: more than ${MAX_ENTRIES} entries in ${file}`);
      this.entry(name, value);
    }
  }

  private entry(name: string, value: unknown): void {
    const ignored = new Set<string>();
    try {
      const context = {
        categoryName: (id: string) => this.categories.get(id),
        ignore: (field: string) => ignored.add(field),
      };
      this.byName.set(name, readEntry(name, value, context));
      for (const field of ignored) this.ignored.set(field, (this.ignored.get(field) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error;
      this.problems.push(`${name.slice(0, 120)}: skipped, ${error.message}`);
    }
  }
}

function asObject(value: unknown, file: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(value, 'the content');
  } catch {
    throw new Error(`fingerprints: ${file} is not an object of entries by name`);
  }
}
