import { readFile } from 'node:fs/promises';
import { pdfOf, startWebhookReceiver, until } from '@app/testing';
import { auditPage } from './dashboard-audit.js';
import { DashboardRun, type DashboardVisit } from './dashboard-run.js';
import { share } from './shared-cluster.js';

const lampPage = (text: string): string =>
  `<!doctype html><title>Lamp</title><h1>Lamp</h1><p>A lamp for the harbour.</p><p>${text}</p>`;

describe('feeds, pulls, files and documents in the studio', () => {
  let run: DashboardRun;
  let visit: DashboardVisit;

  beforeAll(async () => {
    run = await DashboardRun.start(share);
    run.site.serve({ '/lamp': lampPage('It costs 20 EUR.') });
  });
  afterAll(() => run?.stop());
  afterEach(async () => {
    await visit?.close();
  });

  it('preview a connector, pull its rows and download them', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open('/dashboard/feeds');
    await page.getByRole('link', { name: 'Preview: URLs of a site' }).click();
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/'));
    await page.getByText('"connectorId": "sitemap_urls"').first().waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'The first rows' }).waitFor();
    expect(await auditPage(page)).toEqual([]);
    await page.getByRole('link', { name: 'Pull them' }).click();
    await page.getByRole('button', { name: 'Pull the rows' }).click();
    await page.getByRole('link', { name: 'Download CSV' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(3);
    expect(await auditPage(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const lines = await readFile(await (await download).path(), 'utf8');
    expect(lines).toMatch(/^url\r\nhttp/);
    const path = new URL(page.url()).pathname;
    await page.goBack();
    await visit.open(path);
    await visit.open('/dashboard/feeds');
    await page.locator(`a[href="${path}"]`).click();
    await page.getByRole('heading', { name: 'Rows' }).waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('watch a page that was scraped, and show what changed beside what was', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/lamp'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Watch this' }).click();
    expect(await page.getByLabel('URLs').inputValue()).toBe(run.site.url('/lamp'));
    await page.getByLabel('Schedule').fill('never');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Schedule').fill('0 0 1 1 *');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/\/dashboard\/feeds\/./);
    const address = new URL(page.url()).pathname;
    await page.getByText('Nothing yet.').waitFor();

    const runNow = async (runs: number): Promise<void> => {
      await page.getByRole('button', { name: 'Run now' }).click();
      const ended = page.locator('section:has(#runs) [data-state=completed]');
      await until(
        async () => {
          await visit.open(address);
          return (await ended.count()) === runs;
        },
        { what: `${runs} runs`, timeoutMs: 60_000 },
      );
    };
    await runNow(1);
    await page.locator('.news').getByRole('link', { name: 'Lamp' }).waitFor();
    run.site.serve({ '/lamp': lampPage('It costs 15 EUR.') });
    await runNow(2);
    await page.locator('.gone').filter({ hasText: 'It costs 20 EUR.' }).waitFor();
    await page.locator('.come').filter({ hasText: 'It costs 15 EUR.' }).waitFor();
    expect(await auditPage(page)).toEqual([]);

    const rss = await page.locator('[data-copy]').first().innerText();
    expect(await (await fetch(rss)).text()).toContain('<rss');
    await page.getByRole('button', { name: 'Make new addresses' }).click();
    await page.getByRole('status').filter({ hasText: 'new addresses' }).waitFor();
    expect((await fetch(rss)).status).toBe(404);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the feed' }).click();
    await page.getByRole('status').filter({ hasText: 'was deleted' }).waitFor();
    await visit.open(address);
    expect(await page.locator('h1').innerText()).toMatch(/not found/i);
    expect(visit.problems).toEqual([]);
  });

  it.each([true, false])('read a file of one’s own; with a script: %s', async (hasScript) => {
    visit = await run.visitSignedIn({ javaScriptEnabled: hasScript });
    const { page } = visit;
    await visit.open('/dashboard/playground/parse');
    const chosen = page.getByLabel('Document file: choose it, or drop it here');
    const file = (text: string) => ({
      name: 'the "report".pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(pdfOf([text])),
    });
    await chosen.setInputFiles(file('Annual report of the harbour'));
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText('Annual report of the harbour').first().waitFor();
    await visit.open('/dashboard/playground/parse');
    await chosen.setInputFiles({ ...file(''), buffer: Buffer.from([0, 1, 2, 255]) });
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('alert').waitFor();
    if (hasScript) expect(visit.problems).toEqual([]);
  });

  it('refuse a file that comes from another page', async () => {
    visit = await run.visitSignedIn();
    const cookies = await visit.page.context().cookies();
    const form = new FormData();
    form.set('form_token', 'wrong');
    form.set('file', new File([pdfOf(['text'])], 'a.pdf'));
    const answer = await fetch(`${run.service.url}/dashboard/playground/parse/file`, {
      method: 'POST',
      body: form,
      headers: {
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        origin: run.service.url,
      },
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Nothing was done');
  });

  it.each([true, false])('put actions in their order; with a script: %s', async (hasScript) => {
    visit = await run.visitSignedIn({ javaScriptEnabled: hasScript });
    const { page } = visit;
    await visit.open('/dashboard/playground');
    await page.getByText(/^All \d+ options$/).click();
    const list = page.locator('[data-rows-of=actions]');
    const rows = list.locator('li');
    const add = async (type: string, ms: string): Promise<void> => {
      const before = await rows.count();
      await list.getByRole('button', { name: 'Add one' }).click();
      await until(async () => (await rows.count()) === before + 1, { what: 'a row' });
      await rows.last().getByLabel('Type').selectOption(type);
      await rows.last().getByLabel('Ms').fill(ms);
    };
    await add('wait', '1');
    await add('scroll', '20');
    await rows.last().getByRole('button', { name: 'Up' }).click();
    const types = (): Promise<string[]> =>
      rows
        .getByLabel('Type')
        .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    await until(async () => (await types()).join() === 'scroll,wait', { what: 'the order' });
    if (hasScript) {
      const code = page.locator('[data-request-code] pre').first();
      await until(async () => /scroll[^]*wait/.test(await code.innerText()), { what: 'the code' });
      expect(await auditPage(page)).toEqual([]);
    }
    await rows.first().getByRole('button', { name: 'Remove' }).click();
    await until(async () => (await types()).join() === 'wait', { what: 'one row' });
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/about'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').waitFor();
    expect(await types()).toEqual(['wait']);
    if (hasScript) expect(visit.problems).toEqual([]);
  });

  it.each([true, false])('build a schema; with a script: %s', async (hasScript) => {
    run.site.serve({
      '/goods': `<!doctype html><title>Goods</title><h1>Goods</h1><p>Goods of the harbour, all in one place.</p>
        <table><tr><td>Weight</td><td>2 kg</td></tr><tr><td>Colour</td><td>red</td></tr></table>`,
    });
    visit = await run.visitSignedIn({ javaScriptEnabled: hasScript });
    const { page } = visit;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const name = `goods ${hasScript ? 'a' : 'b'}`;
    await visit.open('/dashboard/playground');
    await page.getByRole('link', { name: 'schemas for extract' }).click();
    await page.getByRole('link', { name: 'Build a schema' }).click();
    await page.getByLabel('Example page').fill(run.site.url('/goods'));
    await press('Read it');
    await press('weight');
    await press('colour');
    await press('Add one');
    const row = page.locator('.rows li').last();
    await row.getByLabel('Name').fill('not a name');
    await press('Save');
    await page.getByRole('alert').filter({ hasText: 'Name field 3' }).waitFor();
    await row.getByLabel('Name').fill('count');
    await row.getByLabel('Type').selectOption('whole number');
    await page.getByLabel('Name of the schema').fill(name);
    await press('Save');
    await page.getByRole('status').filter({ hasText: 'Saved as' }).waitFor();
    const schema = await page.getByRole('region', { name: 'The schema as JSON' }).innerText();
    expect(Object.keys((JSON.parse(schema) as { properties: object }).properties)).toEqual([
      ...['weight', 'colour', 'count'],
    ]);
    if (hasScript) expect(await auditPage(page)).toEqual([]);
    await press('Try it');
    await page
      .getByRole('alert')
      .or(page.getByRole('heading', { name: 'What it finds' }))
      .waitFor();
    await visit.open('/dashboard/schemas');
    await page.getByRole('link', { name }).click();
    await page.getByRole('link', { name: 'Use it in the playground' }).click();
    expect(await page.getByLabel('Schema', { exact: true }).inputValue()).toContain('"weight"');
    await page.goBack();
    await press('Delete');
    await page.getByRole('status').filter({ hasText: 'was deleted' }).waitFor();
    if (hasScript) expect(visit.problems).toEqual([]);
  });

  it('say which pages of a batch failed, and why', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open('/dashboard/playground/batch');
    const missing = run.site.url('/status/404');
    await page.getByLabel('URLs', { exact: true }).fill(`${run.site.url('/about')}\n${missing}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `1 of 2 pages failed. ${missing}:` })
      .waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('show how the pages of a crawl looked', async () => {
    const jobId = await run.crawl('/', 3, {
      allowBackwardLinks: true,
      scrapeOptions: { formats: ['markdown', 'screenshot'] },
    });
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open(`/dashboard/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Pictures' }).click();
    const pictures = page.locator('.thumbnails img');
    expect(await pictures.count()).toBe(3);
    const width = () =>
      page.evaluate(`[...document.querySelectorAll('.thumbnails img')].at(-1).naturalWidth`);
    await pictures.last().scrollIntoViewIfNeeded();
    await until(async () => Number(await width()) > 100, { what: 'the picture' });
    expect(await auditPage(page)).toEqual([]);
    await page.locator('.thumbnails a').first().click();
    await page.getByRole('article').waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('show the body of a webhook, and try a receiver', async () => {
    const receiver = await startWebhookReceiver();
    try {
      const jobId = await run.crawl('/about', 1, { webhook: receiver.url });
      await until(() => receiver.received.length === 1, { what: 'the webhook' });
      visit = await run.visitSignedIn();
      const { page } = visit;
      await visit.open('/dashboard/webhooks');
      await page
        .getByRole('row')
        .filter({ hasText: receiver.url })
        .getByRole('link')
        .first()
        .click();
      const body = await page.getByRole('region', { name: 'The body as JSON' }).innerText();
      expect(JSON.parse(body)).toMatchObject({ jobId, status: 'completed', pages_scraped: 1 });
      await visit.open('/dashboard/webhooks');
      const address = page.getByLabel('Send an example event to');
      await address.fill(receiver.url);
      await page.getByRole('button', { name: 'Send it' }).click();
      await page.getByRole('status').filter({ hasText: 'answered 200' }).waitFor();
      expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ test: true });
      receiver.mode = '500';
      await address.fill(receiver.url);
      await page.getByRole('button', { name: 'Send it' }).click();
      await page.getByRole('alert').filter({ hasText: 'answered 500' }).waitFor();
      await address.fill('http://10.0.0.1/');
      await page.getByRole('button', { name: 'Send it' }).click();
      await page.getByRole('alert').waitFor();
      expect(visit.problems).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  it.each(['light', 'dark'] as const)('show the documents, in the %s', async (colorScheme) => {
    visit = await run.visit({ colorScheme });
    const { page } = visit;
    for (const path of [
      '/docs',
      '/docs/start',
      '/docs/settings',
      '/docs/api/crawl',
      '/docs/search',
    ]) {
      await visit.open(path);
      expect([path, await auditPage(page)]).toEqual([path, []]);
    }
    expect(visit.problems).toEqual([]);
  });

  it('find a document as one types, and copy its code', async () => {
    visit = await run.visit();
    const { page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.open('/docs');
    await page.getByLabel('Search').pressSequentially('retries idempot');
    await page.getByRole('link', { name: 'Retries', exact: true }).first().click();
    await page.waitForURL(/\/docs\/webhooks#retries$/);
    await page.getByRole('button', { name: 'Copy' }).last().click();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain('Idempotency-Key');
    await page.getByRole('link', { name: /→$/ }).click();
    await page.waitForURL(/\/docs\/search$/);
    expect(visit.problems).toEqual([]);
  });
});
