import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, spawnApp, startFixtureSite, until } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { startPrometheus, type Prometheus } from './prometheus.js';

const files = path.join(projectRoot(), 'charts/trawl/files');
/** Nothing of this happens in the run: no series begins, and no dashboard line. */
const QUIET = [
  'trawl_fetch_escalations_total',
  'trawl_host_backoffs_total',
  'trawl_messages_dead_lettered_total',
  'trawl_webhook_delivery_duration_seconds_bucket',
  'trawl_search_request_duration_seconds_bucket',
  'rabbitmq_',
];

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

describe('a Prometheus that reads a real cluster', () => {
  let service: Deployment;
  let prometheus: Prometheus;
  beforeAll(async () => {
    service = await deploy('cluster', { fetchers: 1 });
    service.apps.push(await spawnApp({ app: 'tech-scan', env: service.env }));
    const targets = service.apps.map(({ metricsUrl }) => new URL(metricsUrl).host);
    prometheus = await startPrometheus(targets);
    const site = await startFixtureSite();
    await service.client.scrape({ url: site.url('/') });
    await service.client.scrape({ url: site.url('/'), formats: ['screenshot'] });
    await service.client.enrich({ url: site.url('/') });
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 5 });
    await service.client.waitForEnd(jobId);
    // A rate needs a series that Prometheus has seen before it grows.
    const seen = [
      'trawl_fetch_requests_total{outcome="succeeded"} > 0',
      'trawl_http_requests_total{route="/v1/scrape"} > 0',
    ];
    for (const query of seen)
      await until(async () => (await prometheus.ask(query)).length > 0, {
        what: query,
        timeoutMs: 30_000,
      });
    await service.client.scrape({ url: site.url('/') });
    await site.close();
  });
  afterAll(async () => {
    await prometheus.stop();
    await service.stop();
  });

  const panels = readdirSync(path.join(files, 'dashboards')).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(path.join(files, 'dashboards', file), 'utf8')) as {
      readonly title: string;
      readonly panels: readonly Panel[];
    };
    return dashboard.panels.map(({ title, targets }) => [dashboard.title, title, targets] as const);
  });

  it.each(panels)('has data for %s: %s', async (_dashboard, _title, targets) => {
    for (const { expr } of targets) {
      const query = expr.replaceAll('$__rate_interval', '10m').replaceAll('$namespace', '.*');
      if (QUIET.some((name) => expr.includes(name)))
        expect(await prometheus.ask(query)).toEqual([]);
      else
        await until(async () => (await prometheus.ask(query)).length > 0, {
          what: query,
          timeoutMs: 30_000,
        });
    }
  });

  /** Series of one process; operations of many pods multiply them. */
  it.each([
    ['api', 1_500],
    ['fetcher', 2_500],
    ['tech-scan', 1_500],
  ])('reads few series of %s', async (app, most) => {
    const [found] = service.apps.filter((one) => one.app === app);
    const text = await (await fetch(`${found?.metricsUrl}/metrics`)).text();
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeGreaterThan(200);
    expect(series.length).toBeLessThan(most);
  });

  it('evaluates every rule, and fires none for a healthy cluster', async () => {
    const states = async () => (await prometheus.rules()).map(({ health }) => health);
    await until(async () => (await states()).every((health) => health === 'ok'), {
      what: 'evaluated rules',
      timeoutMs: 30_000,
    });
    const firing = (await prometheus.rules()).filter(({ state }) => state === 'firing');
    expect(firing.map(({ name }) => name)).toEqual([]);
    expect((await states()).length).toBeGreaterThan(20);
  });
});
