import type { ScrapeTask } from '@app/contracts';
import { served as page } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

describe('errors of POST /v1/batch', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const batch = (body: unknown) => api.client.call('POST', '/v1/batch', body);
  const urlOf = (n: number) => `http://a.example/${n}`;
  const some = (count: number) => Array.from({ length: count }, (_, n) => urlOf(n));
  const pageOf = ({ url }: ScrapeTask) => page({ url, sourceUrl: url });

  it.each<[string, object, object]>([
    ['no list', {}, { error: '`urls` is required' }],
    [
      'a list of the wrong type',
      { urls: 'http://a.example/' },
      { error: '`urls` must be an array of strings' },
    ],
    ['an empty list', { urls: [] }, { error: '`urls` is empty' }],
    ['101 addresses', { urls: some(101) }, { error: '`urls` may hold at most 100 entries' }],
    [
      'a list without a fetchable URL',
      { urls: ['nope', 'http://10.0.0.1/'] },
      {
        error: '2 of `urls` are not fetchable URLs. Nothing was fetched.',
        invalidUrls: ['nope', 'http://10.0.0.1/'],
      },
    ],
    [
      'an option that is wrong for all',
      { urls: some(2), headers: { host: 'x' } },
      { error: expect.stringContaining('`headers`') },
    ],
    [
      'an action that does not run',
      { urls: some(2), actions: [{ type: 'executeJavascript' }] },
      { error: 'action_not_available' },
    ],
    [
      'a field of another endpoint',
      { urls: some(2), url: urlOf(0) },
      { error: expect.any(String) },
    ],
    [
      'a webhook without a job',
      { urls: some(2), webhook: urlOf(0) },
      { error: expect.stringContaining('`async: true`') },
    ],
    [
      'a job that acts',
      { urls: some(2), async: true, actions: [{ type: 'wait', ms: 1 }] },
      { error: expect.stringContaining('`actions`') },
    ],
    [
      'a job from the cache',
      { urls: some(2), async: true, maxAge: 1 },
      { error: expect.stringContaining('`maxAge`') },
    ],
    [
      'a job with a model',
      { urls: some(2), async: true, formats: ['markdown', 'json'] },
      { error: expect.stringContaining('format json') },
    ],
    [
      'a job with one blocked URL',
      { urls: [urlOf(0), 'nope'], async: true },
      {
        error: '1 of `urls` are not fetchable URLs. Nothing was fetched.',
        invalidUrls: ['nope'],
      },
    ],
    [
      'a job with a private webhook URL',
      { urls: some(2), async: true, webhook: 'http://10.0.0.1/' },
      { error: 'Blocked URL: http://10.0.0.1/', hint: expect.any(String) },
    ],
  ])('is %s, as a whole', async (_, body, apiError) => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    const answer = await batch(body);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(apiError)]);
    expect([tasks, api.recorded]).toEqual([[], []]);
  });

  it('reports a missing model once, before anything is fetched', async () => {
    await start({ settings: { llmBaseUrl: undefined } });
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    expect((await batch({ urls: some(3), formats: ['summary'] })).status).toBe(503);
    // Before the schema is read.
    const refused = await batch({ urls: some(3), formats: ['json'], schema: {} });
    expect(refused.status).toBe(503);
    expect(tasks).toEqual([]);
  });
});
