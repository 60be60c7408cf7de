import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { createApiKey, createTenant } from '@app/accounts';
import { startWebhookReceiver, TrawlClient, until } from '@app/testing';
import { auditPage, focusesUnseen } from './dashboard-audit.js';
import { DashboardRun, type DashboardVisit } from './dashboard-run.js';
import { HeldPages } from './held-pages.js';
import { share, UNKNOWN_ID } from './shared-cluster.js';

const PHONE = { width: 360, height: 740 };
/** With places for the ids of a job and of a webhook. */
const PAGES = [
  '/dashboard',
  '/dashboard/playground',
  '/dashboard/playground/startCrawl?url=https://a.example/&waitFor=x',
  '/dashboard/playground/extract',
  '/dashboard/playground/parse',
  '/dashboard/playground/createFeed.page_changes?params.urls=https://a.example/',
  '/dashboard/feeds',
  '/dashboard/requests',
  '/dashboard/jobs',
  '/dashboard/jobs/JOB',
  '/dashboard/jobs/JOB/results',
  '/dashboard/jobs/JOB/results?state=all',
  '/dashboard/jobs/JOB/results?q=nothing-like-it',
  '/dashboard/jobs/JOB/results/1',
  `/dashboard/jobs/${UNKNOWN_ID}`,
  '/dashboard/nothing',
  '/dashboard/keys',
  '/dashboard/webhooks',
  '/dashboard/webhooks/DELIVERY',
  '/dashboard/plan',
  '/docs',
  '/docs/feeds',
  '/docs?q=webhook',
];

describe('pages of the account page', () => {
  let run: DashboardRun;
  let visit: DashboardVisit;
  let jobId: string;
  let deliveryId: string;

  beforeAll(async () => {
    run = await DashboardRun.start(share);
    const { client } = run.service;
    jobId = await run.crawl('/', 6, { webhook: run.site.url('/hook'), allowBackwardLinks: true });
    const found = await until(
      async () => {
        const { body } = await client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
        return (body as { deliveries: { id: string }[] }).deliveries[0];
      },
      { what: 'a webhook' },
    );
    deliveryId = found.id;
  });
  afterAll(() => run?.stop());
  afterEach(async () => {
    await visit?.close();
  });

  const pathOf = (page: string): string =>
    page.replace('JOB', jobId).replace('DELIVERY', deliveryId);

  describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
    let tour: DashboardVisit;
    beforeAll(async () => {
      tour = await run.visit({ colorScheme });
    });
    afterAll(() => tour?.close());

    it('say what everything is, and are readable, before one signs in', async () => {
      await tour.open('/dashboard/sign-in');
      expect(await auditPage(tour.page)).toEqual([]);
      await tour.signIn(run.service.key);
    });

    it.each(PAGES)('%s says what everything is, and is readable', async (page) => {
      await tour.open(pathOf(page));
      expect(await auditPage(tour.page)).toEqual([]);
      expect(tour.problems).toEqual([]);
      if (colorScheme === 'dark') return;
      // What follows has nothing to do with colours.
      expect(await focusesUnseen(tour.page)).toEqual([]);
      const { page: shown } = tour;
      const before = shown.viewportSize();
      await shown.setViewportSize(PHONE);
      const over = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (before) await shown.setViewportSize(before);
      expect(over).toBe(0);
    });
  });

  it('have the theme that one chooses, on every page, and lead back to where one was', async () => {
    visit = await run.visitSignedIn({ colorScheme: 'light' });
    const { page } = visit;
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const path = `/dashboard/jobs/${jobId}/results?state=all`;
    await visit.open(path);
    const light = await paper();
    await page.getByRole('button', { name: 'dark' }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    expect(page.url()).toBe(run.service.url + path);
    expect(await paper()).not.toBe(light);
    expect(await auditPage(page)).toEqual([]);
    await visit.open('/dashboard/keys');
    expect(await paper()).not.toBe(light);
    await page.getByRole('button', { name: 'auto' }).click();
    await page.locator('html[data-theme=auto]').waitFor();
    expect(await paper()).toBe(light);
  });

  it('can be read, and worked with, without a script', async () => {
    visit = await run.visitSignedIn({ javaScriptEnabled: false });
    const { page } = visit;
    const rows = page.locator('tbody tr');
    const shows = (count: number) =>
      until(async () => (await rows.count()) === count, { what: `${count} rows` });
    for (const one of PAGES) {
      await visit.open(pathOf(one));
      expect(await page.locator('h1').count()).toBe(1);
    }
    await visit.open(`/dashboard/jobs/${jobId}/results?limit=4`);
    expect(await rows.count()).toBe(4);
    await page.getByRole('link', { name: 'More' }).click();
    await shows(2);
    await page.getByLabel('URL contains').fill(new URL(run.site.url('/')).host.toUpperCase());
    await page.getByRole('button', { name: 'Search' }).click();
    await shows(6);
    await page.locator('tbody a').first().click();
    await page.getByText('Markdown', { exact: true }).click();
    await page.getByRole('region', { name: 'The Markdown' }).waitFor();
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').waitFor();
  });

  it('can be worked with by keyboard alone', async () => {
    visit = await run.visit();
    const { page } = visit;
    const { keyboard } = page;
    await visit.open('/dashboard/sign-in');
    // Past the link that skips, and the name of the service.
    for (let n = 0; n < 3; n++) await keyboard.press('Tab');
    await keyboard.type(run.service.key);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.waitForLoadState();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await until(async () => (await page.evaluate('document.activeElement.id')) === 'main', {
      what: 'the focus on the main part',
    });
    await visit.open(`/dashboard/jobs/${jobId}/results/1`);
    await page.getByRole('radio', { name: 'Page' }).focus();
    await keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'The Markdown' }).waitFor();
  });

  it('lead from the playground through a crawl to a page that was searched for, by keyboard alone', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    const { keyboard } = page;
    const focused = () =>
      page.evaluate(
        `(document.activeElement.labels?.[0] ?? document.activeElement).innerText?.trim() ?? ''`,
      );
    const tabTo = async (words: RegExp): Promise<void> => {
      for (let n = 0; n < 200; n++) {
        await keyboard.press('Tab');
        if (words.test(String(await focused()))) return;
      }
      throw new Error(`no stop has ${words}`);
    };
    await visit.open('/dashboard/playground');
    await tabTo(/^Crawl$/);
    await keyboard.press('Enter');
    await page.waitForURL(/startCrawl$/);
    await tabTo(/^URL$/);
    await keyboard.type(run.site.url('/docs'));
    await tabTo(/^Max pages$/);
    await keyboard.type('2');
    await keyboard.press('Enter');
    await page.waitForURL(/jobs\/[\w-]+$/);
    await page.locator('[data-job-state] [data-state=completed]').waitFor();
    await tabTo(/^Words in the text/);
    await keyboard.type('small');
    await page.locator('.found mark').first().waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(/search\?q=small/);
    await tabTo(/^Small site/);
    await keyboard.press('Enter');
    await page.getByRole('article').waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('show the URL report of a job with its reasons, page by page', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${jobId}/results?state=all`);
    await page.getByLabel('State').selectOption('scraped');
    await page.getByRole('button', { name: 'Search' }).click();
    const rows = page.getByRole('row').filter({ hasText: 'scraped' });
    await until(async () => (await rows.count()) === 6, { what: 'the scraped pages' });
    const { body } = await run.service.client.call('GET', `/v1/crawl/${jobId}/urls?limit=1000`);
    const { urls } = body as { urls: { url: string; state: string; reason: string | null }[] };
    const skipped = urls.find(({ state }) => state === 'skipped');
    if (!skipped?.reason) throw new Error('nothing was skipped');
    await visit.open(`/dashboard/jobs/${jobId}`);
    await page.locator(`[data-reasons] a[href*="reason=${skipped.reason}"]`).click();
    await page.getByRole('link', { name: skipped.url, exact: true }).waitFor();
  });

  it('lead from page to page of a job, and give each as Markdown', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    const list = `/dashboard/jobs/${jobId}/results`;
    await visit.open(`${list}/1`);
    expect(await page.getByRole('link', { name: 'Previous page' }).count()).toBe(0);
    const first = await page.locator('h1').innerText();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/results\/2$/);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'Previous page' }).click();
    await page.getByRole('link', { name: 'Previous page' }).click();
    expect(await page.locator('h1').innerText()).toBe(first);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download .md' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    await page.getByText('Markdown', { exact: true }).click();
    const shown = await page.getByRole('region', { name: 'The Markdown' }).innerText();
    expect(shown.trim()).toBe(text.trim());
    await visit.open(`${list}/6`);
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    await visit.open(`${list}/7`);
    expect(await page.locator('h1').innerText()).toMatch(/not found/i);
    expect(visit.problems).toEqual([]);
  });

  it('find words in the pages of a crawl as one types, and give it away in every form', async () => {
    const searched = await run.crawl('/', 6, { index: true, allowBackwardLinks: true });
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${searched}`);
    const { body } = await run.service.client.call('GET', `/v1/crawl/${searched}/results?limit=1`);
    const [first] = (body as { results: { markdown: string; url: string }[] }).results;
    const word = /\p{L}{5,}/u.exec(first?.markdown ?? '')?.[0] ?? '';
    const words = page.getByLabel('Words in the text of the pages');
    const match = page.locator('.found mark').first();
    await words.pressSequentially(word);
    await match.waitFor();
    await words.fill('qqqqqqqq');
    await page.getByText('0 pages').waitFor();
    await words.fill(word);
    await match.waitFor();
    expect(await auditPage(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\?q=/);
    await page.locator('.found a').first().click();
    await page.getByRole('article').waitFor();

    await visit.open(`/dashboard/jobs/${searched}`);
    await page.getByText('Download as').click();
    const file = async (name: string): Promise<Buffer> => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      return readFile(await (await download).path());
    };
    const texts = Object.entries(unzipSync(await file('Markdown files')));
    expect(texts).toHaveLength(6);
    expect(texts[0]?.[0]).toMatch(/^00001-[\p{L}\p{N}-]+\.md$/u);
    expect(Buffer.from(texts[0]?.[1] ?? []).toString()).toBe(first?.markdown);
    const lines = (await file('JSON lines')).toString().trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { ok: boolean }).ok)).toEqual(
      Array(6).fill(true),
    );
    const table = (await file('Table')).toString().trim().split('\r\n');
    expect(table).toHaveLength(7);
    expect(table[1]).toContain(first?.url);
    expect((await file('Web archive')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    await visit.open(`/dashboard/jobs/${searched}/export/constructor`);
    expect(await page.locator('h1').innerText()).toMatch(/not found/i);
    expect(visit.problems).toEqual([]);
  });

  it('show the site of a crawl as a tree, a folder at a time', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${jobId}`);
    const site = page.locator('[data-site]');
    const { body } = await run.service.client.call('GET', `/v1/crawl/${jobId}/urls?limit=1000`);
    const { urls } = body as { urls: { url: string; state: string }[] };
    const origin = run.site.url('/');
    const own = urls.filter(({ url }) => url.startsWith(origin));
    await page.getByRole('link', { name: 'All hosts' }).click();
    await page.getByRole('link', { name: origin, exact: true }).click();
    const names = await site.locator('tbody a').allInnerTexts();
    const firstParts = own.map(({ url }) => /^[^/?]*\/?/.exec(url.slice(origin.length))?.[0]);
    const expected = firstParts.map((part) => (part === '' ? '(this address)' : part));
    expect(names.map((name) => name.replace(/\/$/, '')).toSorted()).toEqual(
      [...new Set(expected.map((name) => name?.replace(/\/$/, '')))].toSorted(),
    );
    expect(await auditPage(page)).toEqual([]);
    await site.locator('tbody a[href*="/results"]').first().click();
    await page
      .getByRole('link', { name: 'Results' })
      .or(page.getByText('URL contains'))
      .first()
      .waitFor();
    await visit.open(`/dashboard/jobs/${jobId}/site?prefix=nonsense`);
    await page.getByText('No address begins like that.').waitFor();
    await visit.open(`/dashboard/jobs/${jobId}/site?prefix=%00`);
    await page.getByText('without NUL characters').waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('follow a job as it runs, and cancel it', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    const held = new HeldPages(run.site, 100);
    const started = await run.service.client.crawl({ url: held.url, maxPages: 100 });
    await visit.open('/dashboard/jobs');
    const row = page.locator(`[data-job="${started.jobId}"]`);
    await page.evaluate('window.isSamePage = true');
    held.answer(5);
    await until(async () => Number(await row.locator('[data-count=scraped]').innerText()) > 0, {
      what: 'pages in the list of jobs',
    });
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await row.getByRole('link').click();
    await page.waitForURL(/\/dashboard\/jobs\/./);
    await page.evaluate('window.isSamePage = true');
    const counts = page.locator('[data-count=scraped]');
    const before = Number(await counts.innerText());
    held.answer(10);
    await until(async () => Number(await counts.innerText()) > before, { what: 'further pages' });
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await page.getByRole('link', { name: 'Cancel the job' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByRole('status').filter({ hasText: 'was cancelled' }).waitFor();
    held.release();
    expect((await run.service.client.job(started.jobId)).status).toBe('cancelled');
    expect(visit.problems).toEqual([]);
  });

  it('show when a job ends while its page is open', async () => {
    const held = new HeldPages(run.site, 8);
    const { jobId: id } = await run.service.client.crawl({ url: held.url, maxPages: 8 });
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${id}`);
    held.release();
    await page.locator('[data-state=completed]').waitFor();
    expect(await page.getByRole('link', { name: 'Cancel the job' }).count()).toBe(0);
    expect(await page.evaluate(`document.querySelector('progress').position`)).toBe(1);
  });

  it('show reasons, end and download of a job that ends while its page is open', async () => {
    const gate = Promise.withResolvers<void>();
    run.site.serve({
      '/live/':
        '<p>Words enough for a page.</p><a href="/live/gone">a</a> <a href="/live/held">b</a>',
      '/live/held': async ({ response }) => {
        await gate.promise;
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Words of the last.</p>');
      },
      '/live/gone': ({ response }) => void response.writeHead(404).end(),
    });
    visit = await run.visitSignedIn();
    const { page } = visit;
    const { jobId: id } = await run.service.client.crawl({
      url: run.site.url('/live/'),
      maxPages: 100,
      sitemap: 'skip',
    });
    await visit.open(`/dashboard/jobs/${id}`);
    await page.evaluate('window.isSamePage = true');
    expect(await page.locator('[data-ended]').innerText()).toBe('not yet');
    const reason = page.getByRole('link', { name: 'failed: answered with an error' });
    await reason.waitFor();
    expect(await page.locator('[data-progress-text]').innerText()).toBe('66 %: 2 of 3 pages done');
    gate.resolve();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    const { completed_at: at } = await run.service.client.job(id);
    expect(await page.locator('[data-ended] time').getAttribute('datetime')).toBe(at);
    expect(await page.locator('[data-progress-text]').innerText()).toBe('2 pages scraped');
    expect(await page.evaluate(`document.querySelector('progress').position`)).toBe(1);
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await reason.click();
    await page.getByText(run.site.url('/live/gone')).waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('add more results to the list, and search in it', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${jobId}/results?limit=4`);
    await page.getByRole('link', { name: 'More' }).click();
    await until(async () => (await page.locator('tbody tr').count()) === 6, { what: 'all rows' });
    expect(await page.getByRole('link', { name: 'More' }).count()).toBe(0);
    expect(await auditPage(page)).toEqual([]);
    const address = await page.locator('tbody a').nth(3).innerText();
    await page.getByLabel('URL contains').fill(address.toUpperCase());
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]q=/);
    await page.getByRole('link', { name: address, exact: true }).click();
    await page.getByRole('article').waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('show the limits of the account itself', async () => {
    const { database } = run.service;
    const { id } = await createTenant(database, 'agreed', 'pro');
    await database.query(
      { name: '', text: 'UPDATE tenants SET agreed_requests_per_minute = 12345 WHERE id = $1' },
      [id],
    );
    visit = await run.visitSignedIn({}, await createApiKey(database, id, 'agreed'));
    await visit.open('/dashboard/plan');
    const own = visit.page.getByRole('region', { name: 'Your limits' });
    expect(await own.innerText()).toMatch(/Requests a minute agreed\s+12,345/);
  });

  it('send a webhook again', async () => {
    const receiver = await startWebhookReceiver();
    try {
      const id = await run.crawl('/about', 1, { webhook: receiver.url });
      await until(() => receiver.received.length === 1, { what: 'the webhook' });
      visit = await run.visitSignedIn();
      const { page } = visit;
      await visit.open('/dashboard/webhooks');
      await page.getByRole('row').filter({ hasText: receiver.url }).getByRole('link').click();
      await page.waitForURL(/\/dashboard\/webhooks\/./);
      expect(await page.locator('main').innerText()).toContain(id);
      await page.getByRole('button', { name: 'Send it again' }).click();
      await page.getByRole('status').filter({ hasText: 'being sent again' }).waitFor();
      await until(() => receiver.received.length === 2, { what: 'the second' });
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids[0]).toBe(ids[1]);
    } finally {
      await receiver.close();
    }
  });

  it('show a signing secret once', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open('/dashboard/webhooks');
    await page.getByRole('button', { name: 'Show a new secret' }).click();
    const secret = await page.locator('.shown-key code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.reload();
    expect(await page.content()).not.toContain(secret);
    expect(await page.locator('main').innerText()).toContain(secret.slice(0, 12));
  });

  it('rotate a key with an overlap', async () => {
    const { database, url } = run.service;
    const { id } = await createTenant(database, 'rotation', 'custom');
    const key = await createApiKey(database, id, 'old');
    visit = await run.visitSignedIn({}, key);
    const { page } = visit;
    await visit.open('/dashboard/keys');
    await page.getByRole('link', { name: 'Rotate the key old' }).click();
    await page.getByLabel('The old key keeps working').selectOption('1 hour');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const fresh = await page.locator('#new-key').innerText();
    await page.waitForLoadState();
    for (const one of [key, fresh])
      expect((await new TrawlClient(url, one).call('GET', '/v1/jobs')).status).toBe(200);
    expect(await page.getByRole('table').innerText()).toMatch(/expiring until/);
  });

  it('show no data of another tenant', async () => {
    const { database } = run.service;
    const { id } = await createTenant(database, 'other', 'custom');
    visit = await run.visitSignedIn({}, await createApiKey(database, id, 'key of another'));
    const read = async (path: string): Promise<string> => {
      const answer = await visit.page.request.get(run.service.url + path);
      expect([path, answer.status()]).toEqual([path, 404]);
      return answer.text();
    };
    const { body } = await run.service.client.call('GET', '/v1/keys');
    const [foreignKey] = (body as { keys: { id: string }[] }).keys;
    const asked: readonly (readonly [string, (id: string) => string])[] = [
      [jobId, (one) => `/dashboard/jobs/${one}`],
      [jobId, (one) => `/dashboard/jobs/${one}/results`],
      [jobId, (one) => `/dashboard/jobs/${one}/results/1`],
      [jobId, (one) => `/dashboard/jobs/${one}/events`],
      [jobId, (one) => `/dashboard/jobs/${one}/cancel`],
      [deliveryId, (one) => `/dashboard/webhooks/${one}`],
      [foreignKey?.id ?? '', (one) => `/dashboard/keys/${one}/revoke`],
      [foreignKey?.id ?? '', (one) => `/dashboard/keys/${one}/rotate`],
    ];
    for (const [known, pathOf] of asked)
      expect(await read(pathOf(known))).toBe(await read(pathOf(UNKNOWN_ID)));
    await visit.open('/dashboard/jobs');
    expect(await visit.page.locator('main').innerText()).toContain('No jobs yet');
  });
});
