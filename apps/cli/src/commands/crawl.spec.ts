import { eventStream } from '../../test/scripted-api.js';
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

describe('the end of a crawl', () => {
  const crawl = (state: object, ...args: readonly string[]): Promise<TrawlRun> => {
    const job = {
      ...{ id: 'j1', status: 'completed', completed_at: '2026-11-30T00:00:00.000Z', error: null },
      ...{ pages_scraped: 0, skipped: { external: 2 }, failed: {}, ...state },
    };
    return runTrawl(['crawl', 'https://example.com/', ...args], {
      routes: {
        'POST /v1/crawl': () => Response.json({ jobId: 'j1', message: '' }, { status: 202 }),
        'GET /v1/crawl/j1/events': () => eventStream(1, [], job),
        'GET /v1/jobs/j1': () => Response.json(job),
      },
    });
  };
  const pages = (scraped: number, failed: number) => ({ pages: { scraped, failed } });
  const changes = { new: 1, changed: 0, same: 46, gone: 2 };

  it.each([
    [{ ...pages(47, 0) }, 'completed: 47 pages, 2 skipped (2 external)', 0],
    [{ ...pages(47, 1), failed: { timeout: 1 } }, 'completed: 47 pages, 1 failed (1 timeout)', 3],
    [
      { ...pages(47, 2), changes, failed: { gone: 2 } },
      'completed: 47 pages (46 same, 1 new), 2 gone, 2 skipped (2 external)',
      0,
    ],
    [
      { ...pages(47, 3), changes, failed: { gone: 2, timeout: 1 } },
      'completed: 47 pages (46 same, 1 new), 2 gone, 1 failed (1 timeout)',
      3,
    ],
    [
      { ...pages(47, 1), changes, failed: { timeout: 1 }, skipped: { duplicate: 2 } },
      'completed: 47 pages (46 same, 1 new), 2 gone, 1 failed (1 timeout), 2 skipped (2 duplicate)',
      3,
    ],
  ])('says how many pages there are, and fails for those that failed: %j', async (...all) => {
    const [state, line, code] = all;
    const ended = await crawl(state, '--since', 'j0', '--modified-since', '2026-11-01');
    expect(ended).toMatchObject({ code, err: expect.stringContaining(line) });
    expect(ended.api.bodiesOf('POST', '/v1/crawl')).toMatchObject([
      { since: 'j0', modifiedSince: '2026-11-01' },
    ]);
  });
});
