import { compileFingerprints } from '../../src/scan/compile-fingerprints.js';
import { loadBuiltInFingerprints } from '../../src/load/built-in-fingerprints.js';
import { loadPages } from './load-pages.js';
import { reportOf, scorePages, type Pair } from './score-pages.js';

const MIN_PAGES = 110;
const MIN_PRECISION = 0.99;
const MIN_RECALL = 0.95;

/**
 * What is found and not labelled, and why it stays. The labels' rule: a technology counts as used where the
 * page or its answer shows it at work (a file, host, header, cookie, generator or markup of its own), and
 * with it what it certainly cannot do without on the site: its language, framework and database, and the
 * company's service it is a part of. What is only spoken of, linked to, shown as code or commented out does
 * not count.
 */
const EXPLAINED: readonly (Pair & { readonly why: string })[] = [
  {
    page: 'docusaurus-docs',
    technology: 'Webpack',
    why: 'runtime~main.js is named so by Webpack and by Rspack, and Docusaurus 3.6 may be built with either',
  },
];

describe('detection on whole pages of our own making', () => {
  const pages = loadPages();
  const score = scorePages(compileFingerprints(loadBuiltInFingerprints()), pages);
  const keyOf = ({ page, technology }: Pair) => `${page}: ${technology}`;
  const explained = EXPLAINED.map(keyOf);

  it(`has ${MIN_PAGES} pages, each longer than 1 KB`, () => {
    expect(pages.length).toBeGreaterThanOrEqual(MIN_PAGES);
    expect(pages.filter(({ input }) => input.html.length < 1024)).toEqual([]);
  });

  it(`has a precision of ${MIN_PRECISION} and a recall of ${MIN_RECALL}`, () => {
    const isGood = score.precision >= MIN_PRECISION && score.recall >= MIN_RECALL;
    // The report is in the failure, with each miss and each false positive.
    expect({ isGood, report: isGood ? '' : reportOf(score) }).toEqual({ isGood: true, report: '' });
    process.stderr.write(`detection: ${reportOf(score)}\n`);
  });

  it('has no false result without an explanation', () => {
    expect(score.wrong.map(keyOf).filter((key) => !explained.includes(key))).toEqual([]);
  });

  it('has no explanation for a result that no longer occurs', () => {
    const wrong = score.wrong.map(keyOf);
    expect(explained.filter((key) => !wrong.includes(key))).toEqual([]);
  });

  it('finds nothing but the server on pages that only talk about technologies', () => {
    const talk = new Set(pages.flatMap(({ name }) => (name.startsWith('talk-') ? [name] : [])));
    expect(talk.size).toBeGreaterThanOrEqual(10);
    expect(score.wrong.filter(({ page }) => talk.has(page))).toEqual([]);
  });
});
