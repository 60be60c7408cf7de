import { createTenant, utcDay } from '@app/accounts';
import { createLogger, Metrics } from '@app/telemetry';
import { FrontierFixture, HOST, urlKeyOf } from '../../test/frontier-fixture.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { ending } from '../pages/page-ending.js';
import { ResultWriter } from '../pages/result-writer.js';
import { readStoredBytes } from './stored-bytes.js';

const ROW = 400;
const JOB = 16_384;

describe('what a tenant stores', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.run('TRUNCATE jobs, hosts, outbox CASCADE'));

  const stored = (tenantId = fixture.tenant.id) =>
    readStoredBytes(fixture.database, tenantId, utcDay());
  const link = (n: number) => ({
    urlKey: urlKeyOf(n),
    url: `http://${HOST}/${n}`,
    host: HOST,
    depth: 1,
    skip: null,
  });

  it('is its jobs, addresses, documents, texts and cached pages, until they expire', async () => {
    expect(await stored()).toEqual({ bytes: 0, unpaidPages: 0 });
    const id = await fixture.start();
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    const text = { language: null, title: 'a', headings: '', text: 'ten bytes.' };
    const { urlKey, fence, url } = seed;
    await fixture.finish([seed], {
      links: [link(1), link(1), link(2)],
      over: { segment: { key: 's', offset: 0, bytes: 1_000 } },
      texts: [{ ...text, urlKey, fence, url }],
    });
    const links = 3 * ROW + link(1).url.length + link(2).url.length;
    expect((await stored()).bytes).toBe(JOB + links + 1_000 + 10);
    await fixture.run(`INSERT INTO page_cache_usage SELECT id, 77 FROM tenants`);
    expect((await stored()).bytes).toBe(JOB + links + 1_000 + 10 + 77);
    await fixture.run('UPDATE jobs SET expired_at = now()');
    expect((await stored()).bytes).toBe(77);
  });

  it('counts the pages of a day that were fetched for nothing, on the free plan', async () => {
    const tenant = await createTenant(fixture.database, 'free', 'free');
    const id = await fixture.start({ tenant });
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], { links: [1, 2, 3, 4].map(link) });
    const writer = new ResultWriter({
      database: fixture.database,
      blobs: {} as never,
      metrics: new Metrics(),
      log: createLogger({ level: 'silent', component: 'spec' }),
      hostWindow: { start: 100, max: 100 },
      inWork: () => 1,
    });
    const end = (
      page: ClaimedPage | undefined,
      state: 'skipped' | 'failed' | 'pending',
      statusCode: number | null,
    ) => {
      if (!page) throw new Error('no page');
      const reason = state === 'pending' ? null : 'noindex';
      const detail = { signal: { kind: 'silent' }, statusCode, retryInMs: 0 } as const;
      return writer.write(ending(page, { state, reason }, detail), new AbortController().signal);
    };
    const [skipped, missing] = await fixture.take(id);
    await end(skipped, 'skipped', 200);
    await end(missing, 'failed', 404);
    const [unreached, retried] = await fixture.take(id);
    await end(unreached, 'failed', null);
    await end(retried, 'pending', 503);
    expect((await stored(tenant.id)).unpaidPages).toBe(2);
  });
});
