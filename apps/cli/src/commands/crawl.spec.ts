import { runTrawl, type TrawlRun } from '../../test/run-trawl.js';

describe('a limit that the service cut', () => {
  const CUT = 'Crawl queued for up to 7 pages instead of 50: your credits do not cover more';
  const crawl = (message: string, ...args: readonly string[]): Promise<TrawlRun> =>
    runTrawl(['crawl', 'https://example.com/', '--detach', ...args], {
      routes: { 'POST /v1/crawl': () => Response.json({ jobId: 'j1', message }, { status: 202 }) },
    });

  it('is named with --detach, beside the id', async () => {
    const ended = await crawl(`${CUT}. Poll GET /v1/crawl/j1 for its state.`, '--limit', '50');
    expect(ended).toMatchObject({ code: 0, out: 'j1\n', err: `${CUT}\n` });
  });

  it('is not named when it is not cut, or with --quiet', async () => {
    const whole = 'Crawl queued for up to 10 pages. Poll GET /v1/crawl/j1 for its state.';
    expect(await crawl(whole)).toMatchObject({ out: 'j1\n', err: '' });
    expect(await crawl(`${CUT}. Poll it.`, '--limit', '50', '--quiet')).toMatchObject({ err: '' });
  });
});
