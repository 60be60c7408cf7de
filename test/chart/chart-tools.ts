import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from './kube-object.js';

interface Tools {
  readonly helm: string;
  readonly kubeconform: string;
  readonly promtool: string;
  /** Folders with JSON schemas by version of Kubernetes. */
  readonly schemas: Readonly<Record<string, string>>;
}

export const NEWEST_KUBERNETES = '1.36.3';
export const CHART = path.join(projectRoot(), 'charts/trawl');

/** Set by `npm test`; by hand: `npm run services -- start chart-tools`, then `npm run services -- env`. */
export function chartTools(): Tools {
  const given = process.env['TEST_CHART_TOOLS'];
  if (!given)
    throw new Error('TEST_CHART_TOOLS is not set: run npm test, or npm run services -- start');
  return JSON.parse(given) as Tools;
}

/** Names of the values files under ci/, without their ending. */
export function valueFiles(): readonly string[] {
  return readdirSync(path.join(CHART, 'ci')).map((file) => path.basename(file, '.yaml'));
}

export const chartFile = (name: string): string => readFileSync(path.join(CHART, name), 'utf8');

/** Arguments for the values of a file under ci/, and of further `key=value` pairs. */
function valueArguments(file: string, pairs: readonly string[]): readonly string[] {
  const all = file === 'trial' ? ['global.trialPassword="ci"', ...pairs] : pairs;
  const set = all.flatMap((pair) => ['--set-json', pair]);
  return ['-f', path.join(CHART, `ci/${file}.yaml`), ...set];
}

type Values = readonly [file: string, pairs?: readonly string[], version?: string];

const rendered = new Map<string, string>();
const parsed = new Map<string, readonly KubeObject[]>();

/** As {@link renderAnew}, but one process for the same values. */
export function render(...values: Values): string {
  const key = JSON.stringify(values);
  const text = rendered.get(key) ?? renderAnew(...values);
  rendered.set(key, text);
  return text;
}

/** What `helm template` prints. Further values are JSON: `fetcher.replicas=3`. @throws with Helm's error */
export function renderAnew(...[file, pairs = [], version = NEWEST_KUBERNETES]: Values): string {
  const fixed = ['template', 'site', CHART, '--namespace', 'web', '--kube-version', version];
  return helm([...fixed, ...valueArguments(file, pairs)]);
}

/** @throws with Helm's error */
export function lint(file: string): void {
  helm(['lint', '--strict', CHART, ...valueArguments(file, [])]);
}

function helm(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(chartTools().helm, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

export function objectsOf(text: string): readonly KubeObject[] {
  const objects = parsed.get(text) ?? parseObjects(text);
  parsed.set(text, objects);
  return objects;
}

function parseObjects(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as KubeObject | null;
    return object === null ? [] : [object];
  });
}

/** Problems that kubeconform finds; a kind without a schema is one too. */
export function schemaProblems(text: string, version: string): readonly string[] {
  const { kubeconform, schemas } = chartTools();
  const folder = schemas[version];
  if (folder === undefined) throw new Error(`no schemas of Kubernetes ${version}`);
  const location = `${folder}/{{.ResourceKind}}{{.KindSuffix}}.json`;
  const { stdout, stderr } = spawnSync(
    kubeconform,
    ['-strict', '-output', 'json', '-summary', '-schema-location', location, '-'],
    { encoding: 'utf8', input: text, maxBuffer: 64 * 1024 ** 2 },
  );
  if (stderr !== '') return [stderr];
  const { resources = [], summary } = JSON.parse(stdout) as {
    readonly resources?: readonly { readonly kind: string; readonly msg: string }[];
    readonly summary: { readonly valid: number; readonly skipped: number };
  };
  const found = resources.map(({ kind, msg }) => `${kind}: ${msg}`);
  if (summary.skipped > 0) found.push(`${summary.skipped} objects were skipped`);
  if (summary.valid === 0) found.push('nothing was checked');
  return found;
}
