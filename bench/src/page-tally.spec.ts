import { BOILERPLATE } from './fixture-pages.js';
import { tallyDocuments } from './page-tally.js';

async function* documents(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

describe('tallyDocuments', () => {
  it('counts a page once, and only when its end is there', async () => {
    const whole = 'text MARKER-1-END';
    const cut = 'MARKER-2-START text that was c';
    const other = `MARKER-3-END ${BOILERPLATE}`;
    await expect(tallyDocuments(documents(whole, whole, cut, '', other))).resolves.toEqual({
      complete: 2,
      documents: 5,
      withBoilerplate: 1,
      markdownBytes: 2 * whole.length + cut.length + other.length,
    });
  });
});
