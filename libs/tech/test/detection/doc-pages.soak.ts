import { seededRandom } from '@app/testing';
import { loadBuiltInFingerprints } from '../../src/load/built-in-fingerprints.js';
import { compileFingerprints } from '../../src/scan/compile-fingerprints.js';
import { DOC_PACKAGES, MORE_DOC_PACKAGES } from './doc-packages.js';
import { drawDocPages } from './doc-pages.js';
import { reportOf, scorePages } from './score-pages.js';

const PAGES = 6_000;
const SEED = 2_000;

describe("detection on the manuals of more of Debian's packages", () => {
  it(`has a precision of 0.99 on ${PAGES} pages, and a recall of 0.95`, () => {
    const set = compileFingerprints(loadBuiltInFingerprints());
    const packages = [...DOC_PACKAGES, ...MORE_DOC_PACKAGES];
    const score = scorePages(set, drawDocPages(packages, PAGES, seededRandom(SEED)));
    process.stderr.write(`detection: ${reportOf(score)}\n`);
    expect(score.precision).toBeGreaterThanOrEqual(0.99);
    expect(score.recall).toBeGreaterThanOrEqual(0.95);
  }, 900_000);
});
