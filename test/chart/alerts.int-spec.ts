import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Metrics } from '@app/telemetry';
import { projectRoot } from '@app/testing';
import { parse } from 'yaml';
import { CHART, chartFile, chartTools, objectsOf, render } from './chart-tools.js';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}
interface RuleTest {
  readonly alert_rule_test?: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

/** Series of RabbitMQ and of Prometheus itself. */
const FOREIGN = [
  'rabbitmq_detailed_queue_messages_ready',
  'rabbitmq_detailed_queue_consumers',
  'up',
];

const rules = (
  parse(chartFile('files/alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  }
).groups.flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert }) => alert ?? []);
const cases = (
  parse(chartFile('files/alerts.test.yaml')) as { readonly tests: readonly RuleTest[] }
).tests.flatMap((test) => test.alert_rule_test ?? []);
const runbook = readFileSync(path.join(projectRoot(), 'docs/runbook.md'), 'utf8').replace(
  // Their volumes are named like series.
  /^docker .*$/gm,
  '',
);

const promtool = (...args: readonly string[]) =>
  spawnSync(chartTools().promtool, args, {
    cwd: path.join(CHART, 'files'),
    encoding: 'utf8',
  });

describe('the alerts', () => {
  it('are valid, and fire and stay silent as their cases say', () => {
    expect(promtool('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = promtool('test', 'rules', 'alerts.test.yaml');
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it.each(alerts)('have a case in which it fires and one in which it does not: %s', (name) => {
    const own = cases.filter(({ alertname }) => alertname === name);
    expect(own.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true);
    expect(own.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
  });

  it.each(
    rules.flatMap(({ alert, annotations }) => (alert ? [[alert, annotations] as const] : [])),
  )('lead to a section of the runbook: %s', (name, annotations) => {
    expect(annotations?.runbook_url).toBe(`https://runbook.invalid#${name.toLowerCase()}`);
    const section = runbook.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
    expect(section).toMatch(/\*\*Meaning\.\*\*/);
    expect(section).toMatch(/\*\*Over when\*\*/);
    expect((section?.match(/^(?:kubectl|curl|psql) /gm) ?? []).length).toBeGreaterThanOrEqual(3);
  });

  it('ask only for series and label values that exist', async () => {
    const { registry } = new Metrics();
    const exposed = await registry.metrics();
    const names = new Set(
      [...exposed.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    const recorded = rules.flatMap(({ record }) => record ?? []);
    const known = [...names, ...recorded, ...FOREIGN];
    for (const text of [...rules.map(({ expr }) => expr), runbook])
      for (const [name] of text.matchAll(
        /\b(?:trawl_|trawl:|nodejs_|rabbitmq_)[\w:]+|\bup\b(?=\{)/g,
      ))
        expect(known).toContain(name);
    const wanted = rules.flatMap(({ expr }) => [
      ...expr.matchAll(/(rung|from_rung|error_origin)="(\w+)"/g),
    ]);
    expect(wanted.length).toBeGreaterThan(3);
    for (const [, label = '', value] of wanted)
      expect(exposed).toContain(`${label === 'from_rung' ? 'rung' : label}="${value}"`);
  });

  it('reach Prometheus as they were tested, but for the address of the runbook', () => {
    const rendered = render('minimal', [
      'monitoring.prometheusRule.enabled=true',
      'monitoring.prometheusRule.runbookUrl="https://wiki.example.com/trawl"',
    ]);
    const rule = objectsOf(rendered).find(({ kind }) => kind === 'PrometheusRule');
    const text = chartFile('files/alerts.yaml');
    expect(rule?.spec).toEqual(
      parse(text.replaceAll('https://runbook.invalid', 'https://wiki.example.com/trawl')),
    );
  });
});

describe('the metrics of a process', () => {
  it('pass the linter of Prometheus', async () => {
    const text = await new Metrics().registry.metrics();
    const said = execFileSync(chartTools().promtool, ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    expect(said).toBe('');
  });
});
