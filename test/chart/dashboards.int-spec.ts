import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Metrics } from '@app/telemetry';
import { stringify } from 'yaml';
import { CHART, chartFile, chartTools, objectsOf, render } from './chart-tools.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly refId: string; readonly expr: string }[];
}
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const files = readdirSync(path.join(CHART, 'files/dashboards'));
const dashboards = files.map(
  (file) => JSON.parse(chartFile(`files/dashboards/${file}`)) as Dashboard,
);
const panels = dashboards.flatMap((one) => one.panels);
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe('the dashboards', () => {
  it('are those of the overview, fetching, browsers, queues, tenants, sources and scans', () => {
    expect([...files].sort()).toEqual([
      'browsers.json',
      'fetch.json',
      'overview.json',
      'queues.json',
      'sources.json',
      'tech-scan.json',
      'tenants.json',
    ]);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(files.length);
  });

  it.each(dashboards.map((one) => [one.title, one.panels] as const))(
    'have panels with an id, a place, a unit and a source of their own: %s',
    (_title, own) => {
      const places = own.map(({ gridPos: { x, y } }) => `${x}/${y}`);
      expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
      expect(new Set(places).size).toBe(own.length);
      for (const { datasource, fieldConfig, targets } of own) {
        expect(datasource.uid).toBe('${datasource}');
        expect(fieldConfig.defaults.unit).toMatch(/^(s|bytes|short|cps|reqps|percentunit)$/);
        expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      }
    },
  );

  it('follow the interval of Prometheus in every rate', () => {
    for (const expr of expressions)
      for (const [, range] of expr.matchAll(/rate\([^[]*\[([^\]]+)\]/g))
        expect(range).toBe('$__rate_interval');
  });

  it('ask only for series and labels that exist, in expressions that Prometheus reads', async () => {
    const exposed = await new Metrics().registry.metrics();
    const names = [...exposed.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`] : [name],
    );
    for (const expr of expressions)
      for (const [name] of expr.matchAll(/\b(?:trawl|nodejs|process|rabbitmq)_\w+/g))
        expect([...names, 'rabbitmq_detailed_queue_messages_ready']).toContain(name);
    expect(promtoolReads(expressions)).toEqual([0, expect.any(String)]);
    expect(promtoolReads(['sum(rate('])[0]).not.toBe(0);
  });

  it('come as ConfigMaps that the sidecar of Grafana finds, with the same text', () => {
    const objects = objectsOf(render('minimal', ['monitoring.dashboards.enabled=true']));
    const maps = objects.filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');
    expect(maps).toHaveLength(files.length);
    for (const { data = {} } of maps)
      for (const [file, text] of Object.entries(data))
        expect(JSON.parse(text)).toEqual(JSON.parse(chartFile(`files/dashboards/${file}`)));
  });
});

/** Exit code and text of promtool for a file of rules with these expressions. */
function promtoolReads(texts: readonly string[]): readonly [number | null, string] {
  const folder = mkdtempSync(path.join(tmpdir(), 'trawl-rules-'));
  const rules = texts.map((text, at) => ({
    record: `checked:${at}`,
    expr: text.replaceAll('$__rate_interval', '1m').replaceAll('$namespace', '.*'),
  }));
  const file = path.join(folder, 'rules.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules }] }));
  const { status, stdout, stderr } = spawnSync(
    chartTools().promtool,
    ['check', 'rules', '--lint=none', file],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return [status, stdout + stderr];
}
