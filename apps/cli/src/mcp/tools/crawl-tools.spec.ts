import { until } from '@app/testing';
import { nextOf, resultText, webContentOf } from '../../../test/tool-peer.js';
import { agentError, eventStream, type ScriptedRoute } from '../../../test/scripted-api.js';
import { openToolSession, type ToolSession } from '../../../test/tool-session.js';

const URL_A = 'http://a.example/';
const ID = '0198c0de-0000-7000-8000-000000000001';

const job = (status: string, scraped = 0, fields: object = {}) => ({
  id: ID,
  type: 'crawl',
  url: URL_A,
  status,
  pages_scraped: scraped,
  created_at: '2026-11-25T00:00:00.000Z',
  completed_at: null,
  result_url: null,
  error: null,
  pages: {
    discovered: 9,
    pending: 9 - scraped,
    leased: 0,
    scraped,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  },
  skipped: {},
  failed: {},
  discovery_capped: false,
  ...fields,
});
const ACCEPTED: ScriptedRoute = () =>
  Response.json({ jobId: ID, status: 'queued', url: URL_A, message: 'm' }, { status: 202 });
const CANCELLED: ScriptedRoute = () =>
  Response.json({ jobId: ID, status: 'cancelled', cancelled: true });

const START = 'POST /v1/crawl';
const STATUS = `GET /v1/jobs/${ID}`;
const CANCEL = `DELETE /v1/jobs/${ID}`;
const EVENTS = `GET /v1/crawl/${ID}/events`;

const crawled = (n: number, markdown = `Text of page ${n}.`) => ({
  url: `${URL_A}${n}`,
  ok: true,
  statusCode: 200,
  markdown,
  metadata: { title: `Page ${n}` },
});

describe('tools that crawl', () => {
  let session: ToolSession;
  const open = async (routes: Readonly<Record<string, ScriptedRoute>>): Promise<ToolSession> =>
    (session = await openToolSession(routes));
  afterEach(() => session.close());
  const sent = (route: string): number =>
    session.api.calls.filter(({ method, path }) => `${method} ${path}` === route).length;

  /** States one after the other; the last one stays. */
  const states = (...all: readonly object[]): ScriptedRoute => {
    let next = 0;
    return () => Response.json(all[Math.min(next++, all.length - 1)]);
  };

  describe('crawl', () => {
    it('returns at once with the job id and the next step, also as structured content', async () => {
      const { peer, api } = await open({ [START]: ACCEPTED, [STATUS]: states(job('queued')) });
      const result = await peer.call('crawl', { url: URL_A, includePaths: ['/docs'] });
      expect(result.structuredContent).toMatchObject({
        jobId: ID,
        status: 'queued',
        isOver: false,
        pagesScraped: 0,
        next: expect.stringContaining('crawl_status'),
      });
      expect(JSON.parse(resultText(result))).toEqual(result.structuredContent);
      expect(api.bodiesOf('POST', '/v1/crawl')).toEqual([
        {
          url: URL_A,
          limit: 10,
          includePaths: ['/docs'],
          allowBackwardLinks: false,
          sitemap: 'include',
          scrapeOptions: { formats: ['markdown'], onlyMainContent: true, removeBase64Images: true },
        },
      ]);
      expect(api.calls[0]?.headers.get('idempotency-key')).toMatch(/\w/);
    });

    it('takes further lists of pages, and a use to be respected', async () => {
      const { peer, api } = await open({ [START]: ACCEPTED, [STATUS]: states(job('queued')) });
      const options = { sources: ['feeds', 'llms.txt'], respectUse: 'ai-train' };
      await peer.call('crawl', { url: URL_A, ...options });
      expect(api.bodiesOf('POST', '/v1/crawl')).toMatchObject([options]);
    });

    it('waits until the end and reports its progress', async () => {
      const { peer } = await open({
        [START]: ACCEPTED,
        [STATUS]: states(
          job('running', 1),
          job('running', 1),
          job('running', 4),
          job('completed', 5),
        ),
      });
      const result = await peer.call('crawl', { url: URL_A, limit: 5, wait: true }, 'token1');
      expect(result.structuredContent).toMatchObject({
        status: 'completed',
        isOver: true,
        pagesScraped: 5,
      });
      const reports = peer.notifications('notifications/progress').map(({ params }) => params);
      expect(reports).toEqual([
        {
          progressToken: 'token1',
          progress: 1,
          total: 5,
          message: `Crawl ${ID} is running: 1 pages scraped`,
        },
        {
          progressToken: 'token1',
          progress: 4,
          total: 5,
          message: `Crawl ${ID} is running: 4 pages scraped`,
        },
        {
          progressToken: 'token1',
          progress: 5,
          total: 5,
          message: `Crawl ${ID} is completed: 5 pages scraped`,
        },
      ]);
    });

    it('reports no progress without a token', async () => {
      const { peer } = await open({ [START]: ACCEPTED, [STATUS]: states(job('completed', 5)) });
      await peer.call('crawl', { url: URL_A, wait: true });
      expect(peer.notifications('notifications/progress')).toEqual([]);
    });

    it('answers when its time is over, and leaves the crawl running', async () => {
      const { peer } = await open({
        [START]: ACCEPTED,
        [STATUS]: states(job('running', 2)),
        [CANCEL]: CANCELLED,
      });
      const result = await peer.call('crawl', { url: URL_A, wait: true, waitSeconds: 1 });
      expect(result.structuredContent).toMatchObject({
        status: 'running',
        isOver: false,
        pagesScraped: 2,
      });
      expect(sent(CANCEL)).toBe(0);
    });

    it('cancels its job when the client cancels the call, and sends no response', async () => {
      const { peer } = await open({
        [START]: ACCEPTED,
        [STATUS]: states(job('running')),
        [CANCEL]: CANCELLED,
      });
      const { id } = peer.startCall('crawl', { url: URL_A, wait: true });
      await until(() => sent(STATUS) > 0, { what: 'a poll' });
      peer.cancel(id);
      await until(() => sent(CANCEL) === 1, { what: 'the cancellation of the job' });
      await peer.request('ping');
      expect(peer.received.filter((message) => message.id === id)).toEqual([]);
    });

    it('cancels its job even if the call is cancelled while the request is under way', async () => {
      let accept: () => void = () => undefined;
      const accepted = new Promise<void>((resolve) => (accept = resolve));
      const { peer } = await open({
        [START]: async (call) => {
          await accepted;
          return ACCEPTED(call);
        },
        [STATUS]: states(job('running')),
        [CANCEL]: CANCELLED,
      });
      const { id } = peer.startCall('crawl', { url: URL_A });
      await until(() => sent(START) === 1, { what: 'the request' });
      peer.cancel(id);
      await peer.request('ping');
      accept();
      await until(() => sent(CANCEL) === 1, { what: 'the cancellation of the job' });
    });

    it('cancels its job when the client disconnects', async () => {
      const { peer, close } = await open({
        [START]: ACCEPTED,
        [STATUS]: states(job('running')),
        [CANCEL]: CANCELLED,
      });
      peer.startCall('crawl', { url: URL_A, wait: true });
      await until(() => sent(STATUS) > 0, { what: 'a poll' });
      await close();
      await until(() => sent(CANCEL) === 1, { what: 'the cancellation of the job' });
    });

    it('names the job if its state cannot be read', async () => {
      const { peer } = await open({
        [START]: ACCEPTED,
        [STATUS]: () => agentError(500, 'jobs_unreadable'),
      });
      const result = await peer.call('crawl', { url: URL_A, wait: true });
      expect(result.isError).toBe(true);
      expect(resultText(result)).toContain(
        `Fix: Do not start it again: call crawl_status with jobId ${ID}.`,
      );
    });
  });

  it('crawl_status shows counts and reasons, and the error of a failed crawl', async () => {
    const failed = job('failed', 0, {
      error: 'No page could be fetched',
      failed: { timeout: 2 },
      skipped: { robots: 7 },
    });
    const { peer } = await open({ [STATUS]: states(failed) });
    const { structuredContent } = await peer.call('crawl_status', { jobId: ID });
    expect(structuredContent).toMatchObject({
      status: 'failed',
      isOver: true,
      error: 'No page could be fetched',
      failed: { timeout: 2 },
      skipped: { robots: 7 },
      next: 'No page was scraped: failed and skipped name the reasons.',
    });
  });

  describe('a crawl with since', () => {
    const changes = { new: 1, changed: 25, same: 70, gone: 3 };
    const URLS = `GET /v1/crawl/${ID}/urls`;
    const report: ScriptedRoute = ({ path }) => {
      const reason = new URL(path, URL_A).searchParams.get('reason') ?? '';
      const count = changes[reason as keyof typeof changes];
      const urls = Array.from({ length: count }, (_, n) => ({
        url: `${URL_A}${reason}${n}\u202e`,
      }));
      return Response.json({ urls, next: null });
    };

    it('names what has changed once it has ended, and the first pages of each kind', async () => {
      const { peer, api } = await open({
        [START]: ACCEPTED,
        [STATUS]: states(job('running', 1, { changes }), job('completed', 96, { changes })),
        [URLS]: report,
      });
      const args = { since: ID, wait: true };
      const { structuredContent } = await peer.call('crawl', { url: URL_A, ...args });
      expect(api.bodiesOf('POST', '/v1/crawl')).toMatchObject([{ since: ID }]);
      const named = Array.from({ length: 20 }, (_, n) => `${URL_A}changed${n}`);
      expect(structuredContent).toMatchObject({
        changes,
        changedUrls: { new: [`${URL_A}new0`], changed: named },
      });
      // Not for those that are gone: they are copies, which the report of URLs does not tell from others.
      const asked = api.calls.flatMap(({ path }) => /state=\w+&reason=\w+/.exec(path) ?? []);
      expect(asked).toEqual(['state=scraped&reason=new', 'state=scraped&reason=changed']);
    });

    it('names those that are gone with an answer of their site', async () => {
      const failed = { timeout: 5, gone: 2 };
      const { peer } = await open({
        [STATUS]: states(job('completed', 96, { changes, failed })),
        [URLS]: report,
      });
      const { structuredContent } = await peer.call('crawl_status', { jobId: ID });
      const gone = [`${URL_A}gone0`, `${URL_A}gone1`];
      expect(structuredContent).toMatchObject({ changes, changedUrls: { gone } });
    });

    it('says how many as long as it runs', async () => {
      const { peer } = await open({ [STATUS]: states(job('running', 1, { changes })) });
      const { structuredContent } = await peer.call('crawl_status', { jobId: ID });
      expect(structuredContent).toMatchObject({ isOver: false, changes });
      expect(structuredContent).not.toHaveProperty('changedUrls');
    });

    it('is named by crawl_status, too; no other crawl has changes', async () => {
      const { peer } = await open({
        [STATUS]: states(job('completed', 96, { changes }), job('completed', 5)),
        [URLS]: report,
      });
      const read = async () => (await peer.call('crawl_status', { jobId: ID })).structuredContent;
      expect(await read()).toHaveProperty('changedUrls.changed.length', 20);
      const other = await read();
      expect([other?.['changes'], other?.['changedUrls']]).toEqual([undefined, undefined]);
    });

    it('may leave out pages by their date', async () => {
      const { peer, api } = await open({ [START]: ACCEPTED, [STATUS]: states(job('queued')) });
      await peer.call('crawl', { url: URL_A, modifiedSince: '2026-11-01' });
      expect(api.bodiesOf('POST', '/v1/crawl')).toMatchObject([{ modifiedSince: '2026-11-01' }]);
    });
  });

  it('crawl_cancel cancels and shows the state', async () => {
    const { peer } = await open({ [CANCEL]: CANCELLED, [STATUS]: states(job('cancelled', 3)) });
    const { structuredContent } = await peer.call('crawl_cancel', { jobId: ID });
    expect(structuredContent).toMatchObject({ status: 'cancelled', pagesScraped: 3 });
    expect(sent(CANCEL)).toBe(1);
  });

  it.each(['../v1/usage', 'a b', '', 'x'.repeat(101)])('refuse the job id %j', async (jobId) => {
    const { peer, api } = await open({});
    expect((await peer.call('crawl_status', { jobId })).isError).toBe(true);
    expect(api.calls).toEqual([]);
  });

  describe('crawl_results', () => {
    const pages = [1, 2, 3, 4, 5].map((n) => crawled(n));
    /** Serves the pages after the cursor, as far as they are scraped. */
    const events =
      (status = 'completed', all: readonly object[] = pages): ScriptedRoute =>
      ({ path }) => {
        const cursor = Number(/cursor=(\d+)/.exec(path)?.[1]);
        return eventStream(cursor + 1, all.slice(cursor), job(status, all.length));
      };
    const openJob = (status = 'completed') =>
      open({ [STATUS]: states(job(status, 5)), [EVENTS]: events(status) });

    it('lists the pages with their numbers, and how to read on', async () => {
      const { peer } = await openJob();
      const first = await peer.call('crawl_results', { jobId: ID, limit: 2 });
      expect(first.content[0]?.text).toBe(
        `Crawl ${ID} is completed and has 5 pages. Pages 1 to 2:`,
      );
      expect(webContentOf(first)).toBe(
        '1. Page 1 | http://a.example/1 | about 4 tokens\n2. Page 2 | http://a.example/2 | about 4 tokens',
      );
      expect(nextOf(first)).toEqual({ cursor: 2 });
      const last = await peer.call('crawl_results', { jobId: ID, cursor: 4 });
      expect(webContentOf(last)).toMatch(/^5\. Page 5/);
      expect(nextOf(last)).toBeUndefined();
    });

    it('ends a list at maxTokens', async () => {
      const long = Array.from({ length: 40 }, (_, n) => ({
        ...crawled(n),
        metadata: { title: 'long '.repeat(30) },
      }));
      const { peer } = await open({
        [STATUS]: states(job('completed', 40)),
        [EVENTS]: events('completed', long),
      });
      const result = await peer.call('crawl_results', { jobId: ID, maxTokens: 200 });
      const rows = webContentOf(result).split('\n');
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.length).toBeLessThan(6);
      expect(nextOf(result)).toEqual({ cursor: rows.length });
    });

    it('of a running crawl ends with the pages that are stored', async () => {
      const { peer } = await openJob('running');
      const result = await peer.call('crawl_results', { jobId: ID });
      expect(webContentOf(result).split('\n')).toHaveLength(5);
      const none = await peer.call('crawl_results', { jobId: ID, cursor: 5 });
      expect(none.content.map(({ text }) => text)).toEqual([
        `Crawl ${ID} is running and has 5 pages. None after 5.`,
        'crawl_status says whether more pages follow.',
      ]);
    });

    it('reads one page in full, piece by piece, from the kept copy', async () => {
      const text = Array.from({ length: 300 }, (_, n) => `Paragraph ${n} has some words.`).join(
        '\n\n',
      );
      const { peer } = await open({
        [EVENTS]: events('completed', [crawled(1), crawled(2, text)]),
      });
      const args = { jobId: ID, page: 2, maxTokens: 1_500 };
      const first = await peer.call('crawl_results', args);
      expect(first.content[0]?.text).toMatch(
        /^Page 2, HTTP 200, about \d+ tokens in all\.\nCharacters 0 to \d+ of \d+\.$/,
      );
      const second = await peer.call('crawl_results', { ...args, ...nextOf(first) });
      expect(`${webContentOf(first)}\n\n${webContentOf(second)}`).toBe(`Title: Page 2\n\n${text}`);
      expect(session.api.calls).toHaveLength(1);
    });

    it('refuses a page that is not stored', async () => {
      const { peer } = await openJob();
      const result = await peer.call('crawl_results', { jobId: ID, page: 6 });
      expect(resultText(result)).toMatch(/^The crawl has no page 6 yet\.\nFix: /);
      expect(result.isError).toBe(true);
    });
  });
});
