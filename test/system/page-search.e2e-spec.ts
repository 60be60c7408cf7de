import {
  startFixtureSite,
  until,
  type Answer,
  type FixtureSite,
  type TrawlClient,
} from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

const PAGES = 40;

interface Found {
  readonly id: string;
  readonly status: string;
  readonly query: string;
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly results: readonly {
    readonly url: string;
    readonly title: string;
    readonly snippet: string;
    readonly highlights: readonly (readonly [number, number])[];
    readonly score: number;
    readonly resultNo: number;
    readonly passages?: readonly { text: string; start: number; end: number; url: string }[] | null;
  }[];
  readonly next: string | null;
}

describe.each(MODES)('GET /v1/crawl/:id/search, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;
  let client: TrawlClient;
  let jobId: string;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: PAGES });
    service = await share(mode);
    ({ client } = service);
    const crawl = { url: site.url('/tree/0'), limit: PAGES, allowBackwardLinks: true, index: true };
    ({ jobId } = await client.crawl(crawl));
    await client.waitForEnd(jobId);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const ask = (id: string, query: string, who = client): Promise<Answer> =>
    who.call('GET', `/v1/crawl/${id}/search${query}`);
  const find = async (q: string, more = '', id = jobId): Promise<Found> => {
    const { status, body } = await ask(id, `?q=${encodeURIComponent(q)}${more}`);
    expect(status).toBe(200);
    return body as Found;
  };

  it('finds a page by its words, with a snippet and the number of its result', async () => {
    const found = await find('"tree-marker-7-end"');
    expect(found).toEqual({
      id: jobId,
      status: 'completed',
      query: '"tree-marker-7-end"',
      total: 1,
      totalIsExact: true,
      results: [
        {
          url: site.url('/tree/7'),
          title: 'Tree page 7',
          snippet: expect.stringContaining('tree-marker-7-end'),
          highlights: expect.any(Array),
          score: expect.any(Number),
          resultNo: expect.any(Number),
        },
      ],
      next: null,
    });
    const [{ snippet, highlights, resultNo }] = found.results as [Found['results'][0]];
    const marked = highlights.map(([start, end]) => snippet.slice(start, end));
    expect(marked.join(' ')).toContain('marker');
    const { results } = await client.resultsSlice(jobId, {
      cursor: String(resultNo - 1),
      limit: 1,
    });
    expect(results[0]?.url).toBe(site.url('/tree/7'));
  });

  it('has the passages of each page that have the words, from its Markdown', async () => {
    const { results } = await find('"tree-marker-7-end" or absent -missing', '&passages=2');
    const [{ passages, resultNo }] = results as [Found['results'][0]];
    const stored = await client.resultsSlice(jobId, { cursor: String(resultNo - 1), limit: 1 });
    const { markdown = '' } = stored.results[0] as { markdown?: string };
    const [passage, ...more] = passages ?? [];
    expect(passage).toMatchObject({
      text: markdown.slice(passage?.start, passage?.end),
      url: expect.stringContaining(`${site.url('/tree/7')}#:~:text=`),
    });
    expect(passage?.text).toContain('tree-marker-7-end');
    expect(more.length).toBeLessThan(2);
    const many = (await find('tree', '&passages=5&limit=10')).results;
    expect(many).toHaveLength(10);
    expect(many.filter((one) => (one.passages ?? []).length === 0)).toEqual([]);
    expect((await find('nothing-like-it', '&passages=1')).results).toEqual([]);
  });

  it('finds words in another form, by the language that pages declare', async () => {
    expect((await find('"trees pages" or pages')).total).toBe(PAGES);
    expect((await find('pages -tree')).total).toBe(0);
  });

  it('is paged by cursor, every match once', async () => {
    const seen: string[] = [];
    let found = await find('tree', '&limit=15');
    for (; found.next !== null; found = await find('tree', `&limit=15&cursor=${found.next}`))
      seen.push(...found.results.map(({ url }) => url));
    seen.push(...found.results.map(({ url }) => url));
    expect(seen).toHaveLength(PAGES);
    expect(new Set(seen).size).toBe(PAGES);
  });

  it.each([
    ['no query', '', '`q` is required'],
    ['an empty query', '?q=', '`q` is required'],
    ['a blank query', '?q=%20%20', '`q` is required'],
    ['two queries', '?q=a&q=b', '`q` is required'],
    ['a query that is too long', `?q=${'a'.repeat(501)}`, '`q` must have at most 500 characters'],
    ['a NUL character', '?q=a%00b', '`q` must be text without NUL characters'],
    ['limit 0', '?q=a&limit=0', '`limit` must be a whole number from 1 to 50'],
    ['limit 51', '?q=a&limit=51', '`limit` must be a whole number from 1 to 50'],
    ['no passages', '?q=a&passages=0', '`passages` must be a whole number from 1 to 5'],
    ['6 passages', '?q=a&passages=6', '`passages` must be a whole number from 1 to 5'],
    ['passages of 11 pages', '?q=a&passages=1&limit=11', '`limit` must be at most 10 with `passages`'], // prettier-ignore
    ['a cursor that is none', '?q=a&cursor=1', '`cursor` must be the `next` of a previous page'],
  ])('refuses %s', async (_, query, problem) => {
    const { status, body } = await ask(jobId, query);
    expect([status, (body as { error: string }).error]).toEqual([
      400,
      expect.stringContaining(problem),
    ]);
  });

  it('accepts a query of 500 characters and a limit of 50', async () => {
    const { status, body } = await ask(jobId, `?q=${'a'.repeat(500)}&limit=50`);
    expect([status, body]).toEqual([200, expect.objectContaining({ total: 0, results: [] })]);
  });

  it('refuses jobs without an index, unknown ones and those of others', async () => {
    const { jobId: plain } = await client.crawl({
      url: site.url('/about'),
      limit: 1,
      index: false,
    });
    const refused = await ask(plain, '?q=about');
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining('`index: true`') }),
    ]);
    const other = await service.otherTenant();
    const foreign = await ask(jobId, '?q=tree', other);
    expect([foreign.status, (await ask('nope', '?q=tree')).status]).toEqual([404, 404]);
    const { body } = await ask('019c0000-0000-7000-8000-000000000000', '?q=tree', other);
    expect(foreign.body).toEqual(body);
  });

  it('searches the pages stored so far while the job runs', async () => {
    site.serve({ '/first': '<p>slow words</p><a href="/held">next</a>', '/held': () => undefined });
    const url = site.url('/first');
    const { jobId: slow } = await client.crawl({ url, limit: 100, index: true });
    await until(async () => (await find('slow', '', slow)).total > 0, {
      what: 'a first page in the index',
    });
    const { status } = await find('slow', '', slow);
    const { body: urls } = await client.call('GET', `/v1/jobs/${slow}/urls`);
    // The URLs are in the failure: what ended the job before the page that is held.
    expect({ status, urls }).toEqual({
      status: expect.stringMatching(/^(running|processing)$/),
      urls,
    });
    await client.cancel(slow);
    expect((await find('slow', '', slow)).total).toBeGreaterThan(0);
  });

  it('searches a batch; one that is waited for has no index', async () => {
    const body = { urls: [site.url('/tree/1'), site.url('/tree/2')], index: true };
    const refused = await client.call('POST', '/v1/batch', body);
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('`index` needs `async: true`') }),
    ]);
    const accepted = await client.call('POST', '/v1/batch', { ...body, async: true });
    const { jobId: batch } = accepted.body as { jobId: string };
    await client.waitForEnd(batch);
    expect((await find('"Tree page 2"', '', batch)).results[0]?.url).toBe(site.url('/tree/2'));
  });

  it('finds nothing any more once the data of the account is deleted', async () => {
    await client.call('DELETE', '/v1/data');
    // The deletion ends when no worker can write any more, a minute later.
    const text = 'SELECT 1 FROM page_texts WHERE job_id = $1';
    const texts = () => service.database.query({ name: 'spec texts', text }, [jobId]);
    await until(async () => (await texts()).length === 0, { what: 'the deletion of the texts' });
    await until(async () => (await ask(jobId, '?q=tree')).status === 404, {
      what: 'the deletion of the job',
    });
  });
});
