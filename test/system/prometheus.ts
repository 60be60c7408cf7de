import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@app/processes';
import { projectRoot, SpawnedProcess, until } from '@app/testing';
import { stringify } from 'yaml';
import { chartTools } from '../chart/chart-tools.js';

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly state?: string;
}
/** A Prometheus of one test, which reads processes of Trawl and evaluates the alerts of the chart. */
export interface Prometheus {
  readonly url: string;
  /** Results of an instant query. @throws with Prometheus' error */
  ask(query: string): Promise<readonly unknown[]>;
  rules(): Promise<readonly Rule[]>;
  stop(): Promise<void>;
}

export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
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
      rule_files: [path.join(projectRoot(), 'charts/trawl/files/alerts.yaml')],
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
    url: `http://${address}`,
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
