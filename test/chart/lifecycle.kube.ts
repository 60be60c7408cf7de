import path from 'node:path';
import { until } from '@app/testing';
import { runProgram } from '../setup/run-program.js';
import { CHART, chartTools } from './chart-tools.js';
import { ControlPlane, kubePrograms } from './control-plane.js';

interface Found {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly containers: readonly { readonly image: string }[];
  };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Every kind that the chart may make. */
const KINDS = [
  ...['deployments.apps', 'replicasets.apps', 'pods', 'services', 'configmaps', 'secrets'],
  ...['serviceaccounts', 'roles', 'rolebindings', 'jobs.batch', 'poddisruptionbudgets'],
  ...['horizontalpodautoscalers', 'networkpolicies', 'ingresses', 'httproutes'],
  ...['scaledobjects', 'triggerauthentications', 'servicemonitors', 'prometheusrules'],
];
/** What Kubernetes puts into every namespace, and what the operator has put there. */
const OTHERS = [
  'ConfigMap/kube-root-ca.crt',
  'ConfigMap/of-the-operator',
  'ServiceAccount/default',
];
const FULL = ['-f', path.join(CHART, 'ci/full.yaml')];
const API = 'web-data-api';

const plane = startedPlane();

/** With what ci/full.yaml names: a class of priority, and nodes for browsers. */
async function startedPlane(): Promise<ControlPlane> {
  const started = await ControlPlane.start();
  await started.kubectl('create', 'priorityclass', 'serving', '--value=1000');
  await started.kubectl('label', 'nodes', '--all', 'machine=browsers');
  return started;
}

afterAll(async () => {
  await (await plane).stop();
});

describe.each([
  ['helm 3', 'three', () => chartTools().helm],
  ['helm 4', 'four', () => kubePrograms().helm4],
])('the chart on a real API server, by %s', (_name, namespace, program) => {
  beforeAll(async () => {
    const { kubectl } = await tools();
    await kubectl('create', 'namespace', namespace);
    const enforced = ['enforce', 'warn'].map(
      (mode) => `pod-security.kubernetes.io/${mode}=restricted`,
    );
    await kubectl('label', 'namespace', namespace, ...enforced);
    await kubectl('create', 'configmap', 'of-the-operator', '-n', namespace);
  });

  it('installs: every object is accepted, every pod becomes ready under `restricted`', async () => {
    const { helm, objects } = await tools();
    const said = await helm('install', 'site', CHART, ...FULL, '--wait', '--timeout', '120s');
    expect(said).toContain('STATUS: deployed');
    expect(said).not.toContain('would violate PodSecurity');
    const deployments = await objects('deployments.apps');
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([
      'web-data-api',
      'web-data-fetcher-calls',
      'web-data-fetcher-crawl',
      'web-data-tech-scan',
    ]);
    // The autoscaler looks every 15 seconds.
    const asked = { what: 'the pods that the HPA asks for', timeoutMs: 60_000, intervalMs: 500 };
    await until(async () => (await readyPods('api')) === 3, asked);
  });

  it('upgrades to another image, with the schema migrated by a Job', async () => {
    const { helm, objects } = await tools();
    const changed = ['--set', 'image.tag=0.2.0', '--set', 'migrations.mode=job'];
    await helm(
      'upgrade',
      'site',
      CHART,
      ...FULL,
      ...changed,
      '--wait',
      '--wait-for-jobs',
      '--timeout',
      '120s',
    );
    const images = await untilImages('0.2.0');
    expect(images.length).toBeGreaterThan(0);
    const hooks = await helm('get', 'hooks', 'site');
    expect(hooks).toMatch(/kind: Job/);
    const [api] = (await objects('deployments.apps')).filter((one) => one.metadata.name === API);
    expect(JSON.stringify(api)).not.toContain('initContainers');
  });

  it('rolls back to the first revision, of which nothing differs then', async () => {
    const { helm, kubectlWith } = await tools();
    await helm('rollback', 'site', '1', '--wait', '--timeout', '120s');
    await untilImages('0.1.0');
    const manifest = await helm('get', 'manifest', 'site');
    const sides = ['--server-side', '--force-conflicts'];
    expect(await kubectlWith(manifest, 'diff', '-n', namespace, ...sides)).toBe('');
    const other = manifest.replaceAll(':0.1.0', ':0.3.0');
    await expect(kubectlWith(other, 'diff', '-n', namespace, ...sides)).rejects.toThrow('0.3.0');
  });

  it('leaves the number of pods to the autoscaler when it upgrades', async () => {
    const { helm, kubectl, objects } = await tools();
    await kubectl('scale', `deployment/${API}`, '--replicas=7', '-n', namespace);
    await helm('upgrade', 'site', CHART, ...FULL, '--wait', '--timeout', '120s');
    const [api] = (await objects('deployments.apps')).filter((one) => one.metadata.name === API);
    expect(api?.spec.replicas).toBe(7);
    await until(async () => (await readyPods('api')) === 7, { what: 'seven ready pods' });
  });

  it('lets one pod of the API be evicted at a time', async () => {
    const { kubectl, kubectlWith } = await tools();
    // What replaces an evicted pod finds no node.
    await kubectl('cordon', '-l', 'kubernetes.io/os=linux');
    try {
      const [first = '', second = ''] = await podNames('api');
      const evict = (name: string) => {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
        const url = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
        return kubectlWith(JSON.stringify(body), 'create', '--raw', url);
      };
      expect(await evict(first)).toContain('Success');
      await expect(evict(second)).rejects.toThrow('disruption budget');
    } finally {
      await kubectl('uncordon', '-l', 'kubernetes.io/os=linux');
    }
  });

  it('is refused by what only the API server examines', async () => {
    const { helm } = await tools();
    const wrong = [
      '--set-json',
      'techScan.resources={"requests":{"memory":"2Gi"},"limits":{"memory":"1Gi"}}',
    ];
    await expect(helm('upgrade', 'site', CHART, ...FULL, ...wrong)).rejects.toThrow(
      'must be less than or equal to memory limit',
    );
  });

  it('shares its namespace with no pod that asks for more', async () => {
    const { kubectl } = await tools();
    const run = kubectl('run', 'root', '--image=any', '-n', namespace);
    await expect(run).rejects.toThrow('violates PodSecurity "restricted:latest"');
  });

  it('leaves nothing behind when it is uninstalled, and what is not its own', async () => {
    const { helm } = await tools();
    expect((await names()).length).toBeGreaterThan(20);
    await helm('uninstall', 'site', '--wait', '--timeout', '60s');
    const isLeft = async () => (await names()).length <= OTHERS.length;
    await until(isLeft, { what: 'what is not its own' }).catch(() => undefined);
    expect([...(await names())].sort()).toEqual(OTHERS);
  });

  async function tools() {
    const cluster = await plane;
    const kubectl = (...args: readonly string[]) => cluster.kubectl(...args);
    return {
      kubectl,
      kubectlWith: (text: string, ...args: readonly string[]) => cluster.kubectlWith(text, ...args),
      helm: (...args: readonly string[]) =>
        runProgram(CHART, program(), [...args, '-n', namespace], {
          KUBECONFIG: cluster.kubeconfig,
          HELM_CACHE_HOME: path.dirname(cluster.kubeconfig),
          HELM_CONFIG_HOME: path.dirname(cluster.kubeconfig),
          HELM_DATA_HOME: path.dirname(cluster.kubeconfig),
        }),
      async objects(kinds: string, ...selector: readonly string[]): Promise<readonly Found[]> {
        const out = await kubectl('get', kinds, '-n', namespace, '-o', 'json', ...selector);
        return (JSON.parse(out) as { readonly items: readonly Found[] }).items;
      },
    };
  }

  async function pods(component: string): Promise<readonly Found[]> {
    const { objects } = await tools();
    return objects('pods', '-l', `app.kubernetes.io/component=${component}`);
  }

  async function podNames(component: string): Promise<readonly string[]> {
    return (await pods(component)).map(({ metadata }) => metadata.name);
  }

  async function readyPods(component: string): Promise<number> {
    const isReady = ({ status }: Found): boolean =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
    return (await pods(component)).filter(isReady).length;
  }

  async function untilImages(tag: string): Promise<readonly string[]> {
    const { objects } = await tools();
    return until(
      async () => {
        const all = (await objects('pods', '-l', 'app.kubernetes.io/name=trawl')).flatMap(
          ({ spec }) => spec.containers.map(({ image }) => image),
        );
        return all.every((image) => image.endsWith(`:${tag}`) || image.includes('@sha256:')) && all;
      },
      { what: `pods of ${tag} alone`, timeoutMs: 60_000, intervalMs: 300 },
    );
  }

  async function names(): Promise<readonly string[]> {
    const { objects } = await tools();
    const all = await objects(KINDS.join(','));
    return all.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  }
});
