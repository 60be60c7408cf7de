import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS, SETTING_NAMES } from '@app/config';
import { projectRoot } from '@app/testing';
import { SCANS_AT_ONCE } from '../../apps/tech-scan/src/start-tech-scan.js';
import { parse } from 'yaml';
import {
  chartFile,
  chartTools,
  lint,
  NEWEST_KUBERNETES,
  objectsOf,
  render,
  renderAnew,
  schemaProblems,
  valueFiles,
} from './chart-tools.js';
import { casesOf } from '../setup/full-run.js';
import { mayReach } from './egress-flows.js';
import { containersOf, workloadsOf, type KubeObject } from './kube-object.js';
import { objectProblems } from './object-problems.js';

const existing = ['trawl-database', 'trawl-broker', 'trawl-storage', 'trawl-model'];
const files = valueFiles();
const [oldest = ''] = Object.keys(chartTools().schemas);
/** Kinds that only operators bring. */
const operatorKinds = [
  'ScaledObject',
  'TriggerAuthentication',
  'ServiceMonitor',
  'PrometheusRule',
  'HTTPRoute',
];

describe('the chart', () => {
  it('has values files for every kind of cluster', () => {
    expect([...files].sort()).toEqual([
      'external-secrets',
      'full',
      'job-migrations',
      'minimal',
      'no-operators',
      'trial',
    ]);
  });

  it.each(files)('passes the linter with %s', (file) => {
    lint(file);
  });

  it.each(files)('renders objects that the newest Kubernetes knows (%s)', (file) => {
    expect(schemaProblems(render(file), NEWEST_KUBERNETES)).toEqual([]);
  });

  const others = files.filter((file) => file !== 'full');
  it.each(casesOf(['full'], { full: others }))(
    'renders objects that the oldest Kubernetes knows (%s)',
    (file) => {
      expect(schemaProblems(render(file, [], oldest), oldest)).toEqual([]);
    },
  );

  it('is refused by a Kubernetes older than the oldest that is checked', () => {
    const { kubeVersion } = parse(chartFile('Chart.yaml')) as { readonly kubeVersion: string };
    expect(oldest.startsWith(kubeVersion.replace(/^>=(\d+\.\d+)\..*$/, '$1.'))).toBe(true);
    expect(() => render('minimal', [], '1.30.0')).toThrow('incompatible');
  });

  it.each(files)('has no loose ends with %s', (file) => {
    // What a trial brings has no labels of the chart.
    const objects = objectsOf(render(file)).filter(
      ({ kind, metadata }) => metadata.labels !== undefined || kind === 'Secret',
    );
    const hasPolicies = file !== 'no-operators';
    expect(objectProblems({ objects, existing, hasPolicies })).toEqual([]);
  });

  it.each(files)('renders the same bytes twice with %s', (file) => {
    expect(renderAnew(file)).toBe(render(file));
  });

  it('creates no Secret when it is given existing ones', () => {
    expect(kindsOf(render('external-secrets'))).not.toContain('Secret');
  });

  it.each(['minimal', 'external-secrets', 'job-migrations', 'no-operators'])(
    'needs no operator with %s',
    (file) => {
      for (const kind of operatorKinds) expect(kindsOf(render(file))).not.toContain(kind);
    },
  );

  it('uses every operator when asked', () => {
    expect(kindsOf(render('full'))).toEqual(expect.arrayContaining(operatorKinds));
  });
});

describe('the checks', () => {
  const planted = (object: object): string =>
    render('no-operators', [`extraObjects=${JSON.stringify([object])}`]);
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'planted' } };

  it.each([
    ['an unknown key', { ...service, spec: { prots: [] } }, 'Service'],
    ['a size in the wrong unit', claimOf('10gigs'), 'PersistentVolumeClaim'],
    ['a kind without a schema', { ...service, kind: 'Servise' }, 'Servise'],
  ])('find %s', (_case, object, kind) => {
    expect(schemaProblems(planted(object), NEWEST_KUBERNETES).join()).toContain(kind);
  });

  it('find what refers to nothing', () => {
    const spec = { selector: { app: 'nobody' }, ports: [{ name: 'http', targetPort: 'http' }] };
    const objects = objectsOf(planted({ ...service, spec }));
    expect(objectProblems({ objects, existing: [], hasPolicies: false })).toEqual(
      expect.arrayContaining([
        'Service/planted: selects no pod',
        expect.stringContaining('DATABASE_URL comes from trawl-database/api-url'),
      ]),
    );
  });
});

describe('settings in the chart', () => {
  it('are settings of the processes', () => {
    for (const name of namesInFull())
      expect([...SETTING_NAMES, 'NODE_OPTIONS', 'TZ']).toContain(name);
  });

  it('are all there: set by the chart, or by the operator', () => {
    const schema = JSON.parse(chartFile('values.schema.json')) as {
      readonly definitions: Readonly<Record<string, { readonly properties: object }>>;
    };
    const free = ['settings', 'secretSettings'].flatMap((name) =>
      Object.keys(schema.definitions[name]?.properties ?? {}),
    );
    // Of the image, or of the embedded start alone.
    const elsewhere = ['CHROMIUM_PATH', 'DATA_DIR'];
    const set = namesInFull().filter((name) => SETTING_NAMES.includes(name));
    const known = new Set([...free, ...set, ...elsewhere]);
    expect([...known].sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('reach the process as text, whatever their kind in the values', () => {
    const env = envOf(
      render('minimal', ['settings.FETCH_MAX_BYTES=20971520', 'settings.BROWSER_STEALTH=false']),
      'fetcher',
    );
    expect(env['FETCH_MAX_BYTES']).toBe('20971520');
    expect(env['BROWSER_STEALTH']).toBe('false');
  });

  it('of a workload win over those of all', () => {
    const rendered = render('minimal', [
      'settings.LOG_LEVEL="warn"',
      'fetcher.settings.LOG_LEVEL="debug"',
    ]);
    expect(envOf(rendered, 'api')['LOG_LEVEL']).toBe('warn');
    expect(envOf(rendered, 'fetcher')['LOG_LEVEL']).toBe('debug');
  });

  it('of the concurrency have the defaults that the autoscaler assumes', () => {
    const text = chartFile('templates/_helpers.tpl');
    const rows = [...text.matchAll(/^[\w-]+: \[([A-Z_]+|fixed), (\d+)\]$/gm)];
    expect(rows).toHaveLength(9);
    for (const [, name, shown] of rows) {
      const fallback = Object.values(SETTINGS).find(({ env }) => env === name)?.fallback;
      expect([name, name === 'fixed' ? SCANS_AT_ONCE : fallback]).toEqual([name, Number(shown)]);
    }
  });
});

describe('values that cannot work', () => {
  it.each([
    ['a misspelt key', ['fetcher.replica=3'], "additional properties 'replica' not allowed"],
    ['a misspelt setting', ['settings.LOG_LEVL="info"'], "'LOG_LEVL' not allowed"],
    ['a secret as a plain setting', ['settings.LLM_API_KEY="x"'], "'LLM_API_KEY' not allowed"],
    [
      'a setting that the chart sets',
      ['api.settings.DRAIN_SECONDS=5'],
      "'DRAIN_SECONDS' not allowed",
    ],
    ['a size that is none', ['fetcher.shmSize="big"'], 'does not match pattern'],
    ['no registry', ['image.registry=""'], 'image.registry is required'],
    [
      'no database',
      ['database.apiUrl=""'],
      'name a Secret with its address in database.existingSecret',
    ],
    ['no broker', ['broker.url=""'], 'name a Secret with its address in broker.existingSecret'],
    [
      'no storage',
      ['storage.apiUrl=""'],
      'name a Secret with its address in storage.existingSecret',
    ],
    [
      'a grace period shorter than the drain',
      ['fetcher.terminationGracePeriodSeconds=30'],
      'pods would be killed before they end their work',
    ],
    [
      'a drain shorter than the longest page',
      ['fetcher.drainSeconds=20'],
      'it would return to the queue at every stop',
    ],
    [
      'a drain shorter than a page made longer',
      ['settings.SCRAPE_TIMEOUT_MS=3600000'],
      'a page may take 3600000 ms',
    ],
    [
      'a limit smaller than what it must hold',
      ['fetcher.resources.limits.memory="2Gi"'],
      'the memory limit 2Gi is 2048 MiB',
    ],
    [
      'a queue that no class takes',
      ['fetcher.classes=[{"name":"crawl","queues":["crawl"]}]'],
      'no class takes tasks from the queue "scrape"',
    ],
    ['an unknown queue', ['fetcher.queues=["scrap"]'], 'value must be one of'],
    [
      'autoscaling without the management API',
      ['fetcher.autoscaling.enabled=true'],
      'broker.managementUrl is required',
    ],
    [
      'fewer than the least',
      ['api.autoscaling={"enabled":true,"min":5,"max":2}'],
      'min 5 is larger than max 2',
    ],
    ['an Ingress without hosts', ['api.ingress.enabled=true'], 'api.ingress.hosts is empty'],
    [
      'a migration job without a Secret',
      ['migrations.mode="job"'],
      'needs database.existingSecret',
    ],
    [
      'a blocked range that is none',
      ['networkPolicy.extraBlockedCidrs=["10.0.0.1"]'],
      'does not match pattern',
    ],
  ])('are refused with the reason: %s', (_case, pairs, reason) => {
    expect(() => render('minimal', pairs)).toThrow(reason);
  });
});

describe('fetchers', () => {
  it('take from all queues by default', () => {
    expect(envOf(render('minimal'), 'fetcher')['FETCHER_QUEUES']).toBe(
      'scrape,screenshot,convert,map,enrich,brand,search,crawl',
    );
  });

  it('of a class have its queues, its size and their own autoscaler', () => {
    const objects = objectsOf(render('full'));
    const crawl = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web-data-fetcher-crawl',
    );
    const env = Object.fromEntries(
      (crawl?.spec.template.spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]),
    );
    expect(env).toMatchObject({
      FETCHER_QUEUES: 'crawl',
      BROWSER_MAX: '1',
      CRAWL_CONCURRENCY: '32',
    });
    const scaler = objects.find(
      ({ kind, metadata }) => kind === 'ScaledObject' && metadata.name === 'web-data-fetcher-crawl',
    );
    expect(scaler?.spec.triggers).toHaveLength(1);
    expect(scaler?.spec.triggers[0]?.metadata).toEqual({
      protocol: 'http',
      excludeUnacknowledged: 'false',
      queueName: 'data.crawl',
      mode: 'QueueLength',
      value: '32',
    });
  });

  it('have as much shared memory as the values say, in memory', () => {
    const fetcher = deploymentOf(objectsOf(render('minimal')), 'fetcher');
    const volumes = fetcher.spec.template.spec.volumes ?? [];
    expect(volumes.find(({ name }) => name === 'shm')?.emptyDir).toEqual({
      medium: 'Memory',
      sizeLimit: '512Mi',
    });
  });

  it('run Chromium in its sandbox only under a profile of the nodes', () => {
    const sandboxed = render('minimal', ['fetcher.chromium.sandbox="seccompLocalhost"']);
    expect(envOf(render('minimal'), 'fetcher')['BROWSER_SANDBOX']).toBe('off');
    expect(envOf(sandboxed, 'fetcher')['BROWSER_SANDBOX']).toBe('on');
    const [container] = deploymentOf(objectsOf(sandboxed), 'fetcher').spec.template.spec.containers;
    expect(container?.securityContext?.seccompProfile?.type).toBe('Localhost');
  });

  it('come with the profile that the image is tried with', () => {
    const tried = readFileSync(path.join(projectRoot(), 'docker/seccomp-fetcher.json'), 'utf8');
    expect(chartFile('files/seccomp-chromium.json')).toBe(tried);
  });
});

describe('network policies', () => {
  const flows = (file: string, component: string, pairs: readonly string[] = []) => {
    const objects = objectsOf(render(file, pairs));
    const { labels = {} } = deploymentOf(objects, component).spec.template.metadata;
    return (address: string, port: number) => mayReach(objects, labels, address, port);
  };
  const publicPages = [
    ['93.184.216.34', 443],
    ['93.184.216.34', 8443],
    ['2606:2800:220:1::1', 443],
  ] as const;
  const privateAddresses = [
    ['169.254.169.254', 80],
    ['10.96.0.1', 443],
    ['100.64.1.1', 80],
    ['192.168.1.1', 80],
    ['127.0.0.1', 80],
    ['fd00:ec2::254', 80],
    ['fe80::1', 80],
    ['64:ff9b::a9fe:a9fe', 80],
    ['::ffff:10.0.0.1', 80],
  ] as const;

  it.each(['api', 'fetcher'])('let %s reach public addresses and no private ones', (component) => {
    const reaches = flows('minimal', component);
    for (const [address, port] of publicPages)
      expect([address, reaches(address, port)]).toEqual([address, true]);
    for (const [address, port] of privateAddresses)
      expect([address, reaches(address, port)]).toEqual([address, false]);
  });

  it.each(['api', 'fetcher', 'tech-scan'])(
    'let %s reach the collector of traces if there is one, and traces are on then',
    (component) => {
      const endpoint = 'http://10.20.0.7:4318';
      const pairs = [
        `tracing.endpoint="${endpoint}"`,
        'networkPolicy.collector.peers=[{"ipBlock":{"cidr":"10.20.0.7/32"}}]',
      ];
      expect(flows('minimal', component, pairs)('10.20.0.7', 4318)).toBe(true);
      expect(flows('minimal', component, pairs.slice(1))('10.20.0.7', 4318)).toBe(false);
      const on = envOf(render('minimal', pairs), component);
      expect(on['OTEL_EXPORTER_OTLP_ENDPOINT']).toBe(endpoint);
      expect(on['OTEL_TRACES_SAMPLER_ARG']).toBe('1');
      expect(envOf(render('minimal'), component)).not.toHaveProperty('OTEL_EXPORTER_OTLP_ENDPOINT');
    },
  );

  it('let scanners reach nothing but the broker and the store', () => {
    const reaches = flows('full', 'tech-scan');
    for (const [address, port] of publicPages) expect(reaches(address, port)).toBe(false);
    expect(reaches('10.20.0.9', 443)).toBe(true);
    expect(reaches('10.20.0.5', 5432)).toBe(false);
  });

  it('let named dependencies be reached at their port alone', () => {
    const reaches = flows('full', 'fetcher');
    expect(reaches('10.20.0.5', 5432)).toBe(true);
    expect(reaches('10.20.0.5', 22)).toBe(false);
    expect(reaches('10.20.0.6', 5432)).toBe(false);
  });

  it('refuse the ranges that the operator adds', () => {
    const reaches = flows('full', 'fetcher');
    expect(reaches('198.41.0.4', 443)).toBe(false);
    expect(reaches('2a00:1::5', 443)).toBe(false);
  });
});

describe('what a person reads', () => {
  it('is current: the tables of values and settings', () => {
    const script = path.join(projectRoot(), 'scripts/tables.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('stale')]);
  });

  it('every key of the values is in the schema', () => {
    const values = parse(chartFile('values.yaml')) as object;
    const schema = JSON.parse(chartFile('values.schema.json')) as { readonly properties: object };
    expect([...Object.keys(values), 'global'].sort()).toEqual(
      Object.keys(schema.properties).sort(),
    );
  });
});

function claimOf(storage: string): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'planted' },
    spec: { resources: { requests: { storage } } },
  };
}

/** Names of all variables that the chart sets in its fullest form. */
function namesInFull(): readonly string[] {
  return workloadsOf(objectsOf(render('full')))
    .flatMap(containersOf)
    .flatMap(({ env = [] }) => env.map(({ name }) => name));
}

function kindsOf(rendered: string): readonly string[] {
  return objectsOf(rendered).map(({ kind }) => kind);
}

function deploymentOf(objects: readonly KubeObject[], component: string): KubeObject {
  const found = objects.find(
    ({ kind, metadata }) =>
      kind === 'Deployment' && metadata.labels?.['app.kubernetes.io/component'] === component,
  );
  if (!found) throw new Error(`no Deployment of ${component}`);
  return found;
}

function envOf(rendered: string, component: string): Readonly<Record<string, string | undefined>> {
  const [container] = deploymentOf(objectsOf(rendered), component).spec.template.spec.containers;
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
}
