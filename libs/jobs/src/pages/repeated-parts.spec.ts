import { pageBlocks } from '@app/content';
import { claimedPage, documentResult } from '../../test/claimed-page.js';
import { RepeatedParts } from './repeated-parts.js';

const FOOTER = 'The footer of all pages of the site, which says nothing of one page.';

/** A page of a job on a host. */
function pageOf(no: number, { jobId = 'job', host = 'a.example' } = {}) {
  const url = `http://${host}/${no}`;
  const markdown = `The text of page ${no} and of no other.\n\n${FOOTER}`;
  const result = documentResult({ url, markdown }, { blocks: pageBlocks(markdown) });
  return [claimedPage({ url, jobId }), result] as const;
}

describe('what pages of a job repeat', () => {
  let repeated: RepeatedParts;
  beforeEach(() => {
    repeated = new RepeatedParts();
    for (let no = 0; no < 3; no++) repeated.learn(...pageOf(no));
  });

  it('is left out once three stored pages had it', () => {
    expect(repeated.without(...pageOf(3))).toEqual({
      ...{ markdown: 'The text of page 3 and of no other.', blocks: 1 },
      characters: FOOTER.length + 2,
    });
    const early = new RepeatedParts();
    early.learn(...pageOf(0));
    early.learn(...pageOf(1));
    expect(early.without(...pageOf(2))).toBeNull();
  });

  it('is of one host and of one job', () => {
    expect(repeated.without(...pageOf(3, { host: 'b.example' }))).toBeNull();
    expect(repeated.without(...pageOf(3, { jobId: 'other' }))).toBeNull();
  });

  it('is not looked for where the job does not want it', () => {
    const [page] = pageOf(3);
    expect(repeated.without(page, documentResult({ url: page.url, markdown: FOOTER }))).toBeNull();
  });

  it('is forgotten for the hosts that were not read for the longest time', () => {
    for (let other = 0; other < 49; other++)
      repeated.learn(...pageOf(0, { jobId: `job ${other}` }));
    expect(repeated.without(...pageOf(3))).not.toBeNull();
    repeated.learn(...pageOf(0, { jobId: 'one more' }));
    expect(repeated.without(...pageOf(3))).toBeNull();
  });
});
