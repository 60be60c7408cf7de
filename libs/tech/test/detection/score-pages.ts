import { Deadline } from '@app/contracts';
import type { ScanInput } from '../../src/technology.js';
import type { FingerprintSet } from '../../src/scan/fingerprint-set.js';
import { scanPage } from '../../src/scan/scan-page.js';

/** One page and one technology. */
export interface Pair {
  readonly page: string;
  readonly technology: string;
}

export interface DetectionScore {
  readonly pages: number;
  readonly right: number;
  readonly missed: readonly Pair[];
  readonly wrong: readonly Pair[];
  /** Right ones of all found, 0 to 1. */
  readonly precision: number;
  /** Right ones of all there are, 0 to 1. */
  readonly recall: number;
}

interface ScoredPage {
  readonly name: string;
  readonly input: ScanInput;
  readonly expected: readonly string[];
}

/** Scans every page and compares over (page, technology) pairs. */
export function scorePages(set: FingerprintSet, pages: Iterable<ScoredPage>): DetectionScore {
  const missed: Pair[] = [];
  const wrong: Pair[] = [];
  let right = 0;
  let count = 0;
  for (const { name: page, input, expected } of pages) {
    const found = namesOn(set, input);
    missed.push(...missingFrom(expected, found).map((technology) => ({ page, technology })));
    wrong.push(...missingFrom(found, expected).map((technology) => ({ page, technology })));
    right += found.length - missingFrom(found, expected).length;
    count += 1;
  }
  const precision = right / Math.max(1, right + wrong.length);
  const recall = right / Math.max(1, right + missed.length);
  return { pages: count, right, missed, wrong, precision, recall };
}

function namesOn(set: FingerprintSet, input: ScanInput): string[] {
  const limits = { deadline: Deadline.after(60_000) };
  return scanPage(set, input, limits).technologies.map(({ name }) => name);
}

function missingFrom(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

/** What a reader of a test run wants to see: the figures, each miss, each false positive. */
export function reportOf(score: DetectionScore): string {
  const share = (value: number) => value.toFixed(4);
  return [
    `${score.pages} pages, ${score.right} right, ${score.wrong.length} false, ${score.missed.length} missed: ` +
      `precision ${share(score.precision)}, recall ${share(score.recall)}`,
    ...score.wrong.map(({ page, technology }) => `  false: ${page}: ${technology}`),
    ...score.missed.map(({ page, technology }) => `  missed: ${page}: ${technology}`),
  ].join('\n');
}
