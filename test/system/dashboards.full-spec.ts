import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  freePort,
  projectRoot,
  spawnApp,
  SpawnedProcess,
  startFixtureSite,
  until,
} from '@app/testing';
import { stringify } from 'yaml';
import { chartTools } from '../chart/chart-tools.js';
import { deploy, type Deployment } from './deployment.js';

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
  }, 180_000);
  afterAll(async () => {
    await prometheus.stop();
    await service.stop();
  }, 60_000);

  const panels = readdirSync(path.join(files, 'dashboards')).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(path.join(files, 'dashboards', file), 'utf8')) as {
      readonly title: string;
      readonly panels: readonly Panel[];
    };
    return dashboard.panels.map(({ title, targets }) => [dashboard.title, title, targets] as const);
  });

  it.each(panels)(
    'has data for %s: %s',
    async (_dashboard, _title, targets) => {
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
    },
    60_000,
  );

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
  }, 60_000);
});

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly state?: string;
}
interface Prometheus {
  /** Results of an instant query. @throws with Prometheus' error */
  ask(query: string): Promise<readonly unknown[]>;
  rules(): Promise<readonly Rule[]>;
  stop(): Promise<void>;
}

async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'trawl-prometheus-'));
  const config = path.join(folder, 'prometheus.yaml');
  const jobs = targets.map((target, at) => ({
    targets: [target],
    labels: { namespace: 'web', pod: `pod-${at}`, container: 'trawl' },
  }));
  writeFileSync(
    config,
    stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [path.join(files, 'alerts.yaml')],
      scrape_configs: [{ job_name: 'trawl', static_configs: jobs }],
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const program = path.join(path.dirname(chartTools().promtool), 'prometheus');
  const child = SpawnedProcess.spawn({
    name: 'Prometheus',
    command: program,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
  });
  const get = async (what: string): Promise<Readonly<Record<string, unknown>>> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${what}`)).json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data: Readonly<Record<string, unknown>>;
    };
    if (answer.status !== 'success') throw new Error(`${what}: ${answer.error}`);
    return answer.data;
  };
  const isUp = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp, { what: 'Prometheus', timeoutMs: 30_000 });
  return {
    ask: async (query) =>
      (await get(`query?query=${encodeURIComponent(query)}`))['result'] as readonly unknown[],
    rules: async () => {
      const { groups } = (await get('rules')) as {
        readonly groups: readonly { readonly rules: readonly Rule[] }[];
      };
      return groups.flatMap((group) => group.rules);
    },
    async stop() {
      await child.stop('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
