import { seededRandom } from '@app/testing';
import { loadBuiltInFingerprints } from '../../src/load/built-in-fingerprints.js';
import { compileFingerprints } from '../../src/scan/compile-fingerprints.js';
import { DOC_PACKAGES } from './doc-packages.js';
import { drawDocPages } from './doc-pages.js';
import { reportOf, scorePages } from './score-pages.js';

const PAGES = 240;
const SEED = 4;
const MIN_PRECISION = 0.99;
const MIN_RECALL = 0.95;

describe("detection on the manuals of Debian's packages", () => {
  it(`has a precision of ${MIN_PRECISION} on ${PAGES} pages, and a recall of ${MIN_RECALL}`, () => {
    const set = compileFingerprints(loadBuiltInFingerprints());
    const score = scorePages(set, drawDocPages(DOC_PACKAGES, PAGES, seededRandom(SEED)));
    const isGood = score.precision >= MIN_PRECISION && score.recall >= MIN_RECALL;
    expect({ isGood, report: isGood ? '' : reportOf(score) }).toEqual({ isGood: true, report: '' });
    // Manuals say by what they are built: whatever else is found has to be explained here first.
    expect(score.wrong).toEqual([]);
    expect(score.pages).toBe(PAGES);
  });
});
