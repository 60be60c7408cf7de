import { Deadline } from '@app/contracts';
import type { ScanInput, Technology } from '../src/technology.js';
import type { ElementTest, Fingerprint } from '../src/fingerprint.js';
import type { FingerprintEntry, FingerprintSample } from '../src/load/built-in-fingerprints.js';
import { compilePattern, readTags } from '../src/pattern/compile-pattern.js';
import { compileFingerprints } from '../src/scan/compile-fingerprints.js';
import type { FingerprintSet } from '../src/scan/fingerprint-set.js';
import { scanPage } from '../src/scan/scan-page.js';

const KINDS = [
  'headers',
  'cookies',
  'meta',
  'scriptSrc',
  'scripts',
  'html',
  'css',
  'url',
  'network',
  'dom',
  'js',
] as const;
type Kind = (typeof KINDS)[number];
type Tests = Readonly<Record<string, ElementTest>>;

/** Kinds whose patterns meet many or long texts, so each needs a literal to be filtered by. */
const FILTERED = ['scriptSrc', 'scripts', 'html', 'css', 'url', 'network'] as const;
const MIN_LITERAL_CHARS = 3;

export function technologiesOf(set: FingerprintSet, sample: FingerprintSample): Technology[] {
  const { technologies } = scanPage(set, inputOf(sample), { deadline: Deadline.after(60_000) });
  return [...technologies];
}

function inputOf(sample: FingerprintSample): ScanInput {
  const { url = 'https://sample.test/', headers = {}, cookies = {}, html = '' } = sample;
  const { globals, requests } = sample;
  return {
    url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    ),
    cookies,
    html,
    ...(globals && { globals }),
    ...(requests && { requests }),
  };
}

/** What is wrong with one entry by itself, each problem in a line. */
export function entryProblems(entry: FingerprintEntry): string[] {
  return [...patternProblems(entry), ...sampleProblems(entry), ...kindProblems(entry)];
}

/** The entry as if whatever it needs were there. */
function alone({ samples: _, ...entry }: FingerprintEntry, kinds: readonly Kind[]): Fingerprint {
  const marks = Object.fromEntries(kinds.map((kind) => [kind, entry[kind]]));
  return { name: entry.name, category: 'Any', ...marks };
}

function samplesOf({ samples }: FingerprintEntry): NonNullable<FingerprintEntry['samples']> {
  return samples ?? { match: [], noMatch: [] };
}

function patternProblems(entry: FingerprintEntry): string[] {
  const set = compileFingerprints([alone(entry, KINDS)]);
  return [
    ...set.problems.map((problem) => problem.slice(entry.name.length + 2)),
    ...textsOf(entry)
      .filter(isBacktracking)
      .map((text) => `does not compile in the linear engine: ${text}`),
    ...FILTERED.flatMap((kind) => [entry[kind] ?? []].flat().flatMap(literalProblem)),
  ];
}

/** Every pattern of the entry. */
function textsOf(entry: FingerprintEntry): string[] {
  const { headers, cookies, meta, js, dom } = entry;
  const named = [headers, cookies, meta, js].flatMap((kind) => Object.values(kind ?? {}).flat());
  const tests = dom === undefined || Array.isArray(dom) ? [] : Object.values(dom as Tests);
  const ofElements = tests.flatMap(({ exists, text, attributes }) => [
    exists ?? '',
    text ?? '',
    ...Object.values(attributes ?? {}),
  ]);
  return [...FILTERED.flatMap((kind) => entry[kind] ?? []), ...named, ...ofElements];
}

/** Run once, so that the linear engine has compiled it or refused. */
function isBacktracking(text: string): boolean {
  const result = compilePattern(text);
  if ('problem' in result) return false;
  result.pattern.test('');
  return result.pattern.isBacktracking;
}

function literalProblem(text: string): string[] {
  const result = compilePattern(text);
  if ('problem' in result) return [];
  const literals = result.pattern.literals ?? [''];
  const shortest = Math.min(...literals.map((literal) => literal.length));
  if (shortest >= MIN_LITERAL_CHARS) return [];
  return [`pattern '${text}' has no run of ${MIN_LITERAL_CHARS} characters that every match holds`];
}

function sampleProblems(entry: FingerprintEntry): string[] {
  const set = compileFingerprints([alone(entry, KINDS)]);
  const { match, noMatch } = samplesOf(entry);
  const problems: string[] = [];
  for (const [at, sample] of match.entries()) {
    const found = technologiesOf(set, sample)[0];
    if (found === undefined) problems.push(`match[${at}] is not detected`);
    else if (sample.version !== undefined && found.version !== sample.version)
      problems.push(
        `match[${at}] should give version '${sample.version}', gave '${found.version ?? ''}'`,
      );
  }
  for (const [at, sample] of noMatch.entries())
    if (technologiesOf(set, sample).length > 0) problems.push(`noMatch[${at}] is detected`);
  return problems;
}

/**
 * Each kind of mark has to be met by a sample, and each version tag by one that says its version.
 */
function kindProblems(entry: FingerprintEntry): string[] {
  const { match } = samplesOf(entry);
  return KINDS.filter((kind) => entry[kind] !== undefined).flatMap((kind) => {
    const set = compileFingerprints([alone(entry, [kind])]);
    const isMet = match.some((sample) => technologiesOf(set, sample).length > 0);
    return isMet ? [] : [`no match sample meets its '${kind}'`];
  });
}

export interface Names {
  readonly technologies: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** Names that some entry implies. */
  readonly implied: ReadonlySet<string>;
}

/** Names an entry speaks of that are in no file. */
export function nameProblems(entry: FingerprintEntry, names: Names): string[] {
  const fields = ['implies', 'requires', 'excludes'] as const;
  const unknown = fields.flatMap((field) =>
    (entry[field] ?? [])
      .map((text) => readTags(text).source)
      .filter((name) => !names.technologies.has(name) || name === entry.name)
      .map((name) => `${field}: there is no '${name}'`),
  );
  const categories = (entry.requiresCategory ?? [])
    .filter((name) => !names.categories.has(name))
    .map((name) => `requiresCategory: there is no '${name}'`);
  const isSeen = entry.samples !== undefined || names.implied.has(entry.name);
  return [...unknown, ...categories, ...(isSeen ? [] : ['has no marks, and nothing implies it'])];
}

/** What else the whole table sees in the entry's match samples. */
export function crossProblems(
  entry: FingerprintEntry,
  set: FingerprintSet,
  implied: (name: string) => ReadonlySet<string>,
): string[] {
  return samplesOf(entry).match.flatMap((sample, at) => {
    const expected = [entry.name, ...(sample.also ?? [])];
    const allowed = new Set(expected.flatMap((name) => [name, ...implied(name)]));
    const found = technologiesOf(set, sample).map(({ name }) => name);
    return [
      ...found
        .filter((name) => !allowed.has(name))
        .map((name) => `match[${at}] is also taken for '${name}' (fix one, or list it in 'also')`),
      ...(sample.also ?? [])
        .filter((name) => !found.includes(name))
        .map((name) => `match[${at}] lists '${name}' in 'also', which is not seen`),
    ];
  });
}
