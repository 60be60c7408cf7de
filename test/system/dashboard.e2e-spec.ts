import { randomUUID } from 'node:crypto';
import { createApiKey, createTenant } from '@app/accounts';
import { revokeApiKey } from '../../libs/accounts/src/keys/revoke-key.js';
import { TrawlClient, until, type LogLine } from '@app/testing';
import { DashboardRun, type DashboardVisit } from './dashboard-run.js';
import { MODES } from './deployment.js';
import { share, UNKNOWN_ID } from './shared-cluster.js';

const PAGES = [
  '',
  '/playground',
  '/requests',
  '/jobs',
  '/feeds',
  '/schemas',
  '/keys',
  '/webhooks',
  '/plan',
].map((path) => `/dashboard${path}`);

/** Status of a call of the API with a key. */
async function statusWith(url: string, key: string): Promise<number> {
  return (await new TrawlClient(url, key).call('GET', '/v1/jobs')).status;
}

describe.each(MODES)('the account page, %s', (mode) => {
  let run: DashboardRun;
  let visit: DashboardVisit;

  beforeAll(async () => {
    run = await DashboardRun.start(() => share(mode));
  });
  afterAll(() => run?.stop());
  afterEach(async () => {
    await visit?.close();
  });

  it('leads from a new key through a scrape and its credits to the end of the key', async () => {
    const { url } = run.service;
    const response = await fetch(`${url}/v1/keys/provision`, { method: 'POST' });
    const { apiKey } = (await response.json()) as { apiKey: string };
    visit = await run.visitSignedIn({}, apiKey);
    const { page } = visit;

    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByRole('button', { name: 'Send' }).click();
    const article = page.getByRole('article');
    await article.waitFor();
    await page.waitForLoadState();
    expect((await article.innerText()).length).toBeGreaterThan(50);
    await page.getByText('Markdown', { exact: true }).click();
    expect(await page.getByRole('region', { name: 'The Markdown' }).innerText()).toMatch(/^#/m);
    expect(await page.getByRole('table', { name: /cascade/ }).innerText()).toMatch(/plain\s+ok/);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.waitForLoadState();
    expect(await page.locator('main dl').innerText()).toMatch(/Spent this month\s+1\b/);
    expect(await page.locator('main dl').innerText()).toMatch(/Credits left\s+999\b/);
    expect(await page.locator('main dl').innerText()).toMatch(/Granted this month\s+1,000\b/);
    await page.getByText('As a table').click();
    expect(await page.getByRole('row').nth(1).innerText()).toMatch(/\s1\s+1$/);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name of a new key').fill('second');
    await page.getByRole('button', { name: 'Create key' }).click();
    const second = await page.locator('#new-key').innerText();
    expect(await statusWith(url, second)).toBe(200);

    await page.getByRole('link', { name: 'Revoke the key second' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('status').filter({ hasText: 'was revoked' }).waitFor();
    expect(await statusWith(url, second)).toBe(401);
    expect(await page.content()).not.toContain(second);

    await page.getByRole('link', { name: 'Revoke the key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Revoke a key' }).waitFor();
    await page.waitForLoadState();
    expect(await page.locator('main').innerText()).toContain('this session ends, too');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await statusWith(url, apiKey)).toBe(401);
    expect(visit.problems).toEqual([]);
    expect(run.cspReports()).toEqual([]);
  });
});

describe('the account page', () => {
  let run: DashboardRun;
  let visit: DashboardVisit;

  beforeAll(async () => {
    run = await DashboardRun.start(share);
  });
  afterAll(() => run?.stop());
  afterEach(async () => {
    await visit?.close();
  });

  /** A tenant of its own, so that what one test does is not seen by another. */
  const newTenant = async (): Promise<{ id: string; key: string; client: TrawlClient }> => {
    const { database, url } = run.service;
    const { id } = await createTenant(database, 'dashboard', 'custom');
    const key = await createApiKey(database, id, 'first');
    return { id, key, client: new TrawlClient(url, key) };
  };
  const sql = (text: string, values: readonly unknown[]) =>
    run.service.database.query({ name: '', text }, values);

  it('shows no data without a session', async () => {
    visit = await run.visit();
    for (const path of [
      ...PAGES,
      `/dashboard/jobs/${UNKNOWN_ID}`,
      `/dashboard/keys/${UNKNOWN_ID}/revoke`,
    ]) {
      await visit.open(path);
      expect(new URL(visit.page.url()).pathname).toBe('/dashboard/sign-in');
    }
    const states = await visit.page.request.get(`${run.service.url}/dashboard/jobs/states`);
    expect(states.status()).toBe(401);
  });

  it('accepts no wrong key, and does not show it again', async () => {
    visit = await run.visit();
    await visit.open('/dashboard/sign-in');
    await visit.page.getByLabel('API key').fill('trawl_live_000000000000_wrong');
    await visit.page.keyboard.press('Enter');
    await visit.page.getByRole('alert').waitFor();
    expect(await visit.page.content()).not.toContain('trawl_live_000000000000_wrong');
    expect(await visit.page.context().cookies()).toEqual([]);
  });

  it('keeps the session in a cookie that no script sees and no other site sends', async () => {
    visit = await run.visitSignedIn();
    const [cookie, ...others] = await visit.page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });
    expect(cookie?.value).not.toContain('trawl_live');
    expect(await visit.page.evaluate('document.cookie')).toBe('');
  });

  it('ends the session with its key, from the next request', async () => {
    const { key } = await newTenant();
    visit = await run.visitSignedIn({}, key);
    await visit.open('/dashboard/jobs');
    await revokeApiKey(run.service.database, key);
    await visit.page.reload();
    expect(await visit.page.locator('h1').innerText()).toBe('Sign in');
    expect(await visit.page.locator('main').innerText()).toContain('ended');
  });

  it('signs out for good', async () => {
    visit = await run.visitSignedIn();
    const state = await visit.page.context().storageState();
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.page.getByText('You are signed out.').waitFor();
    await visit.close();
    visit = await run.visit({ storageState: state });
    await visit.open('/dashboard');
    expect(await visit.page.locator('h1').innerText()).toBe('Sign in');
  });

  it('accepts forms from its own pages alone', async () => {
    const { key, client } = await newTenant();
    visit = await run.visitSignedIn({}, key);
    await visit.open('/dashboard/keys');
    const token = await visit.page.locator('[name=form_token]').first().inputValue();
    const { url } = run.service;
    const post = async (headers: Record<string, string>, form: Record<string, string>) => {
      const target = `${url}/dashboard/keys`;
      return (await visit.page.request.post(target, { headers, form, maxRedirects: 0 })).status();
    };
    const fields = { label: 'forged', form_token: token };
    expect(await post({ origin: 'https://evil.example' }, fields)).toBe(403);
    expect(await post({ origin: 'null' }, fields)).toBe(403);
    expect(await post({}, fields)).toBe(403);
    expect(await post({ origin: url }, { label: 'forged' })).toBe(403);
    expect(await post({ origin: url }, { ...fields, form_token: `${token}x` })).toBe(403);
    const { body } = await client.call('GET', '/v1/keys');
    expect((body as { keys: unknown[] }).keys).toHaveLength(1);
    expect(await post({ origin: url }, fields)).toBe(303);
  });

  it('cannot be used from a page of another site', async () => {
    const { key, client } = await newTenant();
    visit = await run.visitSignedIn({}, key);
    run.site.serve({
      '/evil': `<form method="post" action="${run.service.url}/dashboard/keys">
        <input name="label" value="forged"><button>go</button></form>
        <iframe src="${run.service.url}/dashboard"></iframe>`,
    });
    // Another name of the same machine is another site.
    await visit.page.goto(run.site.url('/evil').replace('127.0.0.1', 'localhost'));
    await visit.page.getByRole('button', { name: 'go' }).click();
    await visit.page.waitForURL(/dashboard/);
    const { body } = await client.call('GET', '/v1/keys');
    expect((body as { keys: unknown[] }).keys).toHaveLength(1);
    await until(() => run.cspReports().some(({ csp }) => directiveOf(csp) === 'frame-ancestors'), {
      what: 'the report of a page that was not framed',
    });
  });

  it('sends every page with a policy that allows only its own files', async () => {
    visit = await run.visitSignedIn();
    for (const path of [...PAGES, '/dashboard/sign-in', '/dashboard/jobs/x']) {
      const answer = await visit.page.request.get(run.service.url + path);
      const headers = answer.headers();
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:(?: http:\/\/[\w.]+:\d+)?; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; /,
      );
      expect(headers['cache-control']).toBe('private, no-store');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      const text = await answer.text();
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    }
    const files = await visit.page.evaluate(
      `[...document.querySelectorAll('link[rel=stylesheet], script')].map((one) => one.href || one.src)`,
    );
    for (const file of files as string[]) {
      expect(file).toMatch(/\/dashboard\/assets\/[0-9a-f]{16}-dashboard\.(css|mjs)$/);
      const answer = await visit.page.request.get(file);
      expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('runs no script from scraped pages, names or addresses', async () => {
    const payload = `"'></title></pre></textarea><script>window.pwned=1;alert(1)</script><img src=x onerror="window.pwned=1;alert(2)"><svg onload=alert(3)>`;
    run.site.serve({
      '/xss': `<html><head><title>${payload.replaceAll('<', '&lt;')}</title></head><body><main>
        <h1>${payload.replaceAll('<', '&lt;')}</h1>
        <p>[click](javascript:alert(4)) <a href="javascript:alert(5)">five</a>
        <a href="data:text/html,<script>alert(6)</script>">six</a>
        &lt;script&gt;window.pwned=1&lt;/script&gt; &lt;img src=x onerror=alert(7)&gt; and words enough
        to be the content of a page that somebody would keep, in a sentence or two.</p>
        <pre><code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(8)&lt;/script&gt;</code></pre>
        <table><tr><th>${payload.replaceAll('<', '&lt;')}</th></tr><tr><td>|</td></tr></table>
        </main></body></html>`,
    });
    const { id, key, client } = await newTenant();
    const { jobId } = await client.crawl({
      url: run.site.url(`/xss?q=${encodeURIComponent(payload)}`),
      maxPages: 1,
      webhook: run.site.url(`/hook?${encodeURIComponent(payload)}`),
    });
    await client.waitForEnd(jobId);
    const delivery = await until(
      async () => {
        const { body } = await client.call('GET', '/v1/webhooks/deliveries');
        return (body as { deliveries: { id: string }[] }).deliveries[0];
      },
      { what: 'a delivery' },
    );
    await createApiKey(run.service.database, id, payload);
    // What no parser lets in today: the pages must not rely on it.
    await sql('UPDATE jobs SET url = $2, error = $2 WHERE id = $1', [jobId, payload]);
    await sql('UPDATE pages SET url = $2, reason = $2, rung = $2 WHERE job_id = $1', [
      jobId,
      payload,
    ]);
    await sql('UPDATE webhook_deliveries SET url = $2, last_error = $2 WHERE id = $1', [
      delivery.id,
      payload,
    ]);
    const { feedId, pullId } = await plantRows(id, payload);
    const reportsBefore = run.cspReports().length;
    visit = await run.visitSignedIn({}, key);
    const { page } = visit;
    const job = `/dashboard/jobs/${jobId}`;
    const asked = encodeURIComponent(payload);
    const paths = [
      ...PAGES,
      job,
      `${job}/results`,
      `${job}/results?state=all&q=${encodeURIComponent(payload)}`,
      `${job}/results?reason=${encodeURIComponent(payload)}`,
      `${job}/results/1`,
      `${job}/results/${encodeURIComponent(payload)}`,
      `/dashboard/jobs/${encodeURIComponent(payload)}`,
      `/dashboard/webhooks/${delivery.id}`,
      `/dashboard/keys?done=${asked}`,
      `${job}/pictures`,
      '/dashboard/feeds',
      `/dashboard/feeds/${feedId}`,
      `/dashboard/pulls/${pullId}`,
      '/dashboard/schemas',
      `/dashboard/schemas/build?name=${asked}&url=${asked}`,
      `/dashboard/playground/createFeed.page_changes?params.urls=${asked}`,
      `/docs?q=${asked}`,
    ];
    for (const path of paths) {
      await visit.open(path);
      expect(await harmlessness(visit)).toEqual({ pwned: false, links: [], foreign: [] });
    }
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/xss'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').waitFor();
    await page.waitForLoadState();
    expect(await page.locator('#answer-title').innerText()).toContain('<script>');
    expect(await harmlessness(visit)).toEqual({ pwned: false, links: [], foreign: [] });
    await visit.open('/dashboard/keys');
    await page.getByLabel('Name of a new key').fill(payload.slice(0, 100));
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    await page.waitForLoadState();
    expect(await harmlessness(visit)).toEqual({ pwned: false, links: [], foreign: [] });
    expect(visit.problems).toEqual([]);
    expect(run.cspReports().slice(reportsBefore)).toEqual([]);
  });

  /** A feed, a pull and a schema as no connector would make them. */
  async function plantRows(
    tenantId: string,
    payload: string,
  ): Promise<{ readonly feedId: string; readonly pullId: string }> {
    const [feedId, pullId, runId] = [randomUUID(), randomUUID(), randomUUID()];
    const params = JSON.stringify({ [payload]: payload });
    await sql(
      `INSERT INTO feeds (id, tenant_id, connector_id, params, schedule, time_zone, first_run, delivers_changed, max_rows,
         state, paused_reason) VALUES ($1, $2, $3, $4, $3, $3, 'silent', true, 10, 'paused', $3)`,
      [feedId, tenantId, payload, params],
    );
    await sql(
      `INSERT INTO feed_runs (id, feed_id, tick, is_manual, is_silent, row_limit, price_credits, price_rows, is_reserved, error)
         VALUES ($1, $2, now(), true, false, 10, 1, 1, false, $3)`,
      [runId, feedId, payload],
    );
    const rows = [
      { id: 'a', kind: payload, row: { title: payload, url: 'javascript:alert(9)' } },
      {
        id: 'b',
        kind: 'changed',
        row: {},
        changes: { diff: `@@ -1 +1 @@\n-${payload}\n+${payload}` },
      },
      { id: 'c', kind: 'changed', row: {}, changes: { [payload]: { before: payload, after: {} } } },
    ];
    await sql(
      `INSERT INTO feed_events (id, feed_id, run_id, type, body) VALUES ($1, $2, $1, 'feed.rows', $3)`,
      [runId, feedId, JSON.stringify({ rows })],
    );
    await sql(
      `INSERT INTO pulls (id, tenant_id, connector_id, params, status, row_limit, price_credits, price_rows, expires_at,
         completed_at) VALUES ($1, $2, $3, $4, 'completed', 10, 1, 1, now() + interval '1 day', now())`,
      [pullId, tenantId, payload, params],
    );
    await sql(
      `INSERT INTO pull_rows (pull_id, position, key, data) VALUES ($1, 1, decode(repeat('00', 32), 'hex'), $2)`,
      [pullId, JSON.stringify({ [payload]: payload, url: 'javascript:alert(10)' })],
    );
    const schema = { properties: { [payload]: { type: payload, description: payload } } };
    await sql('INSERT INTO saved_schemas (tenant_id, name, schema) VALUES ($1, $2, $3)', [
      ...[tenantId, payload, JSON.stringify(schema)],
    ]);
    return { feedId, pullId };
  }

  it('repeats no form when the page after it is reloaded', async () => {
    const { key, client } = await newTenant();
    visit = await run.visitSignedIn({}, key);
    const { page } = visit;
    const spent = async (): Promise<unknown> => {
      const { body } = await client.call('GET', '/v1/usage');
      return (body as { readonly pages_scraped: unknown }).pages_scraped;
    };
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').waitFor();
    await page.waitForLoadState();
    const hits = run.site.count('/docs');
    const text = await page.getByRole('article').innerText();
    expect(await spent()).toBe(1);
    await page.reload();
    expect(await page.getByRole('article').innerText()).toBe(text);
    expect(await spent()).toBe(1);
    expect(run.site.count('/docs')).toBe(hits);

    await visit.open('/dashboard/keys');
    await page.getByLabel('Name of a new key').fill('once');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = await page.locator('#new-key').innerText();
    await page.reload();
    expect(await page.content()).not.toContain(shown);
    expect(await page.locator('#new-key').count()).toBe(0);
    const { body } = await client.call('GET', '/v1/keys');
    expect((body as { keys: unknown[] }).keys).toHaveLength(2);
    expect(page.url()).not.toContain(shown);
  });

  it('sends any request, shows its code and cost as it is filled in, and lists it', async () => {
    const { key } = await newTenant();
    visit = await run.visitSignedIn({}, key);
    const { page } = visit;
    const code = page.locator('[data-request-code]');
    await visit.open('/dashboard/playground');
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByRole('heading', { name: /POST \/v1\/map/ }).waitFor();
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByLabel('Limit', { exact: true }).fill('7');
    await code.getByText('"limit": 7').first().waitFor();
    await code.getByText('Command line').click();
    await code.getByText(`trawl map ${run.site.url('/docs')} --limit 7`).waitFor();
    // The chosen language stays while one types.
    await page.getByLabel('Limit', { exact: true }).fill('8');
    await code.getByText(`trawl map ${run.site.url('/docs')} --limit 8`).waitFor();
    await code.getByText('At most 1 credit.').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .locator('.links')
      .getByRole('link', { name: run.site.url('/docs'), exact: true })
      .waitFor();
    expect(await page.getByLabel('Limit', { exact: true }).inputValue()).toBe('8');

    await visit.open('/dashboard/playground/startCrawl');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByLabel('Max pages', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/\/dashboard\/jobs\/[\w-]+$/);

    const rows = page.locator('tbody tr');
    await until(
      async () => {
        await visit?.open('/dashboard/requests?of=playground');
        return (await rows.count()) === 2;
      },
      { what: 'both requests in the list' },
    );
    expect(await rows.first().innerText()).toMatch(/POST \/v1\/crawl[^]*202[^]*Account page/);
    await rows.last().getByRole('link', { name: 'POST /v1/map' }).click();
    await page.getByText(/^Links \(\d+\)$/).waitFor();
    expect(visit.problems).toEqual([]);
  });

  it('shows how a page looked beside its text, in step with it, and all else that was read', async () => {
    const words = 'Words of a long page that somebody would keep, in a sentence or two. '.repeat(4);
    run.site.serve({
      '/long': `<title>Long</title><main><h1>Long</h1>${`<p>${words}</p>`.repeat(60)}
        <p><a href="/docs">Docs</a></p></main>`,
    });
    const reportsBefore = run.cspReports().length;
    visit = await run.visitSignedIn({ viewport: { width: 1_400, height: 700 } });
    const { page } = visit;
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/long'));
    for (const format of ['links', 'rawHtml', 'screenshot'])
      await page.getByLabel(format, { exact: true }).check();
    await page.getByText(/All \d+ options/).click();
    await page.getByLabel('Scroll', { exact: true }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    const picture = page.getByRole('region', { name: 'How the page looked' });
    await picture.waitFor();
    await page.waitForLoadState();
    expect(
      await page.evaluate(`document.querySelector('.looks img').naturalHeight`),
    ).toBeGreaterThan(1_000);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const place = `document.querySelector('.looks').scrollTop`;
    await until(async () => Number(await page.evaluate(place)) > 100, {
      what: 'the picture in step',
    });
    const facts = await page.getByRole('complementary').innerText();
    expect(facts).toMatch(/about [\d,]+, \d+ % less than the [\d,]+ of the HTML/);
    await page.getByText('Links (1)').click();
    await page.getByRole('link', { name: run.site.url('/docs') }).waitFor();
    await page.getByText('HTML', { exact: true }).last().click();
    await page.getByRole('region', { name: 'The HTML' }).getByText('<h1>Long</h1>').waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const json = await page.getByRole('region', { name: 'The result as JSON' }).innerText();
    expect(json).toMatch(/"screenshot": "(?:http|data:image.* characters\))/);
    expect(visit.problems).toEqual([]);
    expect(run.cspReports().slice(reportsBefore)).toEqual([]);
  });

  it('says beside the field what a form cannot send', async () => {
    visit = await run.visitSignedIn();
    const { page } = visit;
    await visit.open('/dashboard/playground');
    await page.getByLabel('URL', { exact: true }).fill(run.site.url('/docs'));
    await page.getByText(/All \d+ options/).click();
    await page.getByLabel('Schema', { exact: true }).fill('[{');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/This is not JSON/).waitFor();
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(run.site.url('/docs'));
    const field = page.getByLabel('Schema', { exact: true });
    expect(await field.inputValue()).toBe('[{');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toContain('f-schema-problem');
  });

  it('receives reports of policy violations', async () => {
    visit = await run.visitSignedIn();
    await visit.page.evaluate(`new Image().src = 'http://127.0.0.1:1/leak.png'`);
    const isOfImage = ({ csp }: LogLine): boolean => directiveOf(csp) === 'img-src';
    const report = await until(() => run.cspReports().find(isOfImage), { what: 'a report' });
    expect(report).toMatchObject({
      csp: { directive: 'img-src', page: '/dashboard' },
      msg: 'content security policy violated',
    });
    const injected = `try { document.body.innerHTML = '<b>x</b>'; 'set' } catch { 'refused' }`;
    expect(await visit.page.evaluate(injected)).toBe('refused');
  });
});

function directiveOf(csp: unknown): unknown {
  return (csp as { readonly directive?: unknown } | undefined)?.directive;
}

/** Whether anything of a page's data came to life. */
async function harmlessness({ page }: DashboardVisit): Promise<unknown> {
  return page.evaluate(`({
    pwned: 'pwned' in window,
    links: [...document.querySelectorAll('a[href], form[action]')]
      .map((one) => one.getAttribute('href') ?? one.getAttribute('action'))
      .filter((href) => !/^(https?:|\\/dashboard|\\/docs|#[\\w-]+$)/.test(href)),
    foreign: [...document.querySelectorAll('main :is(script, img, iframe, object, embed, style, svg[onload])')]
      .map((one) => one.outerHTML),
  })`);
}
