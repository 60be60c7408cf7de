import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { PLAN_LIMITS } from '@app/contracts';
import {
  articleHtml,
  htmlPage,
  sendHtml,
  startFixtureSite,
  until,
  type FixtureSite,
} from '@app/testing';
import {
  batch,
  chargesOf,
  LIST_PAGES,
  ListSite,
  markerOf,
  type BatchResponseItem,
} from './batch-run.js';
import { sumOfGauge } from './browser-census.js';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

describe.each(MODES)('batches that are waited for, %s', (mode) => {
  let service: Service;
  let list: ListSite;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    list = new ListSite(site);
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => list.reset());

  it('answers in the order of the list, with errors in their place, and charges the results', async () => {
    const { id, client } = await service.tenant('scale');
    list.ms = 0;
    const urls = [
      site.url('/slow/600/first'),
      'nope',
      ...list.some(5),
      'http://10.0.0.1/',
      site.url('/status/404'),
      site.url('/private/x'),
      site.url('/blank'),
      site.url('/list/2'),
      site.url('/reset'),
      site.url(`/redirect/302?to=${encodeURIComponent('http://10.0.0.1/')}`),
    ];
    const { results, summary, creditsUsed } = await batch(client, { urls });
    expect(results.map(({ index }) => index)).toEqual(urls.map((_, n) => n));
    expect(results.map(({ code }) => code ?? 'ok')).toEqual([
      'ok',
      'invalid_url',
      ...Array.from({ length: 5 }, () => 'ok'),
      'blocked_url',
      'fetch_failed',
      'fetch_failed',
      'ok',
      'ok',
      'fetch_failed',
      'blocked_url',
    ]);
    results.slice(2, 7).forEach(({ markdown, metadata }, n) => {
      expect(markdown).toContain(markerOf(n));
      expect(metadata?.sourceURL).toBe(site.url(`/list/${n}`));
    });
    expect({ ...results[11], index: 4 }).toEqual(results[4]);
    expect(site.count('/list/2')).toBe(1);
    expect(site.count('/private/x')).toBe(0);
    // A page named twice and a blank page: seven answers, six credits.
    expect(summary).toEqual({ total: 14, ok: 8, failed: 6 });
    expect(creditsUsed).toBe(6);
    expect(await chargesOf(service, id)).toEqual({ rows: 6, credits: 6 });
  });

  it.each(['free', 'hobby'] as const)(
    'requests as many pages at a time as the plan %s has workers',
    async (plan) => {
      const { client } = await service.tenant(plan);
      const { batchWorkers } = PLAN_LIMITS[plan];
      list.atOnce = batchWorkers;
      const { summary } = await batch(client, { urls: list.some(batchWorkers * 3) });
      expect(summary.ok).toBe(batchWorkers * 3);
      expect(list.most).toBe(batchWorkers);
    },
  );

  it('sends NDJSON as pages are done', async () => {
    list.ms = 0;
    const gate = Promise.withResolvers<void>();
    site.serve({
      '/late': async ({ response }) => {
        await gate.promise;
        sendHtml(response, htmlPage({ title: 'Late', body: articleHtml('late') }));
      },
    });
    const urls = [site.url('/late'), ...list.some(3)];
    const response = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: {
        'x-api-key': service.key,
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify({ urls }),
    });
    const items: Partial<BatchResponseItem>[] = [];
    const body = Readable.fromWeb(response.body as WebStream<Uint8Array>);
    for await (const line of createInterface({ input: body })) {
      if (line.trim() === '') continue;
      items.push(JSON.parse(line) as Partial<BatchResponseItem>);
      if (items.length === 3) gate.resolve();
    }
    expect(
      items
        .slice(0, 3)
        .map(({ index }) => index)
        .toSorted(),
    ).toEqual([1, 2, 3]);
    expect(items.slice(3)).toMatchObject([
      { index: 0, ok: true },
      { summary: { total: 4, ok: 4, failed: 0 }, creditsUsed: 4 },
    ]);
  });

  it('refuses 101 addresses, and a list without one that may be fetched', async () => {
    const urls = Array.from({ length: 101 }, (_, n) => site.url(`/list/${n % LIST_PAGES}`));
    for (const async of [false, true]) {
      expect(await service.client.call('POST', '/v1/batch', { urls, async })).toMatchObject({
        status: 400,
        body: { error: '`urls` may hold at most 100 entries' },
      });
    }
    const bad = ['nope', 'http://169.254.169.254/'];
    expect(await service.client.call('POST', '/v1/batch', { urls: bad })).toMatchObject({
      status: 400,
      body: { invalidUrls: bad },
    });
    expect(site.totalRequests).toBe(0);
  });

  it('starts no page for a client that disconnected', async () => {
    const { id, client } = await service.tenant('free');
    list.atOnce = Infinity;
    const hangUp = new AbortController();
    const call = client
      .call('POST', '/v1/batch', { urls: list.some(40) }, hangUp.signal)
      .catch((error: unknown) => error);
    await until(() => list.open > 0, { what: 'a request for a page' });
    hangUp.abort();
    await call;
    const answering = () => sumOfGauge(service.apps, 'trawl_http_requests_in_flight');
    await until(async () => (await answering()) === 0, { what: 'the end of the request' });
    list.release();
    await until(() => list.open === 0, { what: 'the pages under way to end' });
    const asked = list.asked;
    // Time in which a batch that goes on would send requests.
    await batch(client, { urls: list.some(3, 90) });
    expect(list.asked - asked).toBe(3);
    expect(asked).toBeLessThanOrEqual(4);
    expect((await chargesOf(service, id)).rows).toBeLessThanOrEqual(asked + 3);
  });
});
