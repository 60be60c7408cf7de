import type { ElementTest, Fingerprint, PatternTexts } from '../fingerprint.js';

/** Why an entry is skipped; the text goes on after the entry's name. */
export class EntryProblem extends Error {
  override readonly name = 'EntryProblem';
}

/** What an entry may be read with. */
export interface EntryContext {
  /** Name of a category by its id; undefined for unknown ones. */
  readonly categoryName: (id: string) => string | undefined;
  /** Called for each unsupported mark. */
  readonly ignore: (field: string) => void;
}

/** Marks of other scanners that need more than a page: they are left out, and counted. */
const IGNORED = ['dns', 'certIssuer', 'robots', 'probe'] as const;
const MAX_NAME_CHARS = 120;
const MAX_PATTERNS = 1_000;
/** For entries whose categories are not in the table. */
export const OTHER_CATEGORY = 'Other';

/**
 * Reads one technology as Wappalyzer and webappanalyzer write them; throws an {@link EntryProblem}
 * when it is not of that form. `text` is looked for in the source, `xhr` among the requests of a
 * deep scan.
 */
export function readEntry(name: string, value: unknown, context: EntryContext): Fingerprint {
  if (name.trim() === '' || name.length > MAX_NAME_CHARS)
    throw new EntryProblem(`its name is empty or longer than ${MAX_NAME_CHARS} characters`);
  const entry = asRecord(value, 'the entry');
  for (const field of IGNORED) if (entry[field] !== undefined) context.ignore(field);
  return withoutEmpty({
    name,
    category: categoryOf(entry, context),
    website: typeof entry['website'] === 'string' ? entry['website'] : undefined,
    headers: namedPatterns(entry, 'headers'),
    cookies: namedPatterns(entry, 'cookies'),
    meta: namedPatterns(entry, 'meta'),
    js: namedPatterns(entry, 'js'),
    scriptSrc: patterns(entry, 'scriptSrc'),
    scripts: patterns(entry, 'scripts'),
    html: [...patterns(entry, 'html'), ...patterns(entry, 'text')],
    css: patterns(entry, 'css'),
    url: patterns(entry, 'url'),
    network: [...patterns(entry, 'xhr'), ...patterns(entry, 'network')],
    dom: domOf(entry['dom'], context),
    implies: patterns(entry, 'implies'),
    requires: patterns(entry, 'requires'),
    requiresCategory: requiredCategories(entry, context),
    excludes: patterns(entry, 'excludes'),
  });
}

type Entry = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown, what: string): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EntryProblem(`${what} is not an object`);
  return value as Entry;
}

function categoryOf(entry: Entry, { categoryName }: EntryContext): string {
  if (typeof entry['category'] === 'string' && entry['category'] !== '') return entry['category'];
  const names = listOf(entry['cats']).flatMap((id) => categoryName(String(id)) ?? []);
  return names[0] ?? OTHER_CATEGORY;
}

function requiredCategories(entry: Entry, { categoryName }: EntryContext): readonly string[] {
  return listOf(entry['requiresCategory']).map((value) => {
    const name = categoryName(String(value)) ?? (typeof value === 'string' ? value : undefined);
    if (name === undefined)
      throw new EntryProblem(`requiresCategory: there is no ${String(value)}`);
    return name;
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (list.length > MAX_PATTERNS) throw new EntryProblem(`a list of more than ${MAX_PATTERNS}`);
  return list;
}

function patterns(entry: Entry, field: string): readonly string[] {
  return patternList(entry[field], field);
}

function patternList(value: unknown, field: string): readonly string[] {
  return listOf(value).map((item) => {
    if (typeof item !== 'string') throw new EntryProblem(`${field} holds something but text`);
    return item;
  });
}

function namedPatterns(
  entry: Entry,
  field: string,
): Readonly<Record<string, PatternTexts>> | undefined {
  if (entry[field] === undefined) return undefined;
  const named = Object.entries(asRecord(entry[field], field));
  if (named.length > MAX_PATTERNS) throw new EntryProblem(`${field} has more than ${MAX_PATTERNS}`);
  return Object.fromEntries(
    named.map(([name, value]) => [name, patternList(value, `${field} '${name}'`)]),
  );
}

function domOf(value: unknown, context: EntryContext): Fingerprint['dom'] {
  if (value === undefined) return undefined;
  if (typeof value === 'string' || Array.isArray(value)) return patternList(value, 'dom');
  return Object.fromEntries(
    Object.entries(asRecord(value, 'dom')).map(([selector, test]) => [
      selector,
      elementTest(test, `dom '${selector}'`, context),
    ]),
  );
}

function elementTest(value: unknown, what: string, { ignore }: EntryContext): ElementTest {
  const test = asRecord(value, what);
  if (test['properties'] !== undefined) ignore('dom properties');
  const attributes = Object.entries(asRecord(test['attributes'] ?? {}, `${what} attributes`));
  return withoutEmpty({
    exists: optionalText(test['exists'], what),
    text: optionalText(test['text'], what),
    attributes: Object.fromEntries(
      attributes.map(([name, text]) => [name, optionalText(text, what) ?? '']),
    ),
  });
}

function optionalText(value: unknown, what: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new EntryProblem(`${what} holds something but text`);
}

/** Fields that say nothing are left out. */
function withoutEmpty<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value)),
  ) as T;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
