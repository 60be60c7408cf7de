import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@app/processes';
import { SpawnedProcess, until } from '@app/testing';
import { stringify } from 'yaml';
import { runProgram } from '../setup/run-program.js';

interface KubePrograms {
  readonly helm4: string;
  /** etcd, API server, controllers, scheduler, kubectl and kwok; the first argument names the part. */
  readonly controlPlane: string;
  /** How kwok moves nodes and pods on. */
  readonly stages: readonly string[];
  /** Definitions of the custom resources that the chart may make. */
  readonly crds: readonly string[];
}

/** Set by `npm run test:kube`. */
export function kubePrograms(): KubePrograms {
  const given = process.env['TEST_KUBE_PROGRAMS'];
  if (!given) throw new Error('TEST_KUBE_PROGRAMS is not set: run npm run test:kube');
  return JSON.parse(given) as KubePrograms;
}

const NODES = 3;
const START_MS = 120_000;
/** The API server waits a minute for an etcd that is gone: what is left after this is killed. */
const STOP_MS = 3_000;

/** A Kubernetes control plane on loopback, whose nodes run nothing but say that they do. */
export class ControlPlane {
  private readonly processes: SpawnedProcess[] = [];

  private constructor(
    private readonly folder: string,
    readonly kubeconfig: string,
  ) {}

  /** Resolves when the nodes are ready and the custom resources known. */
  static async start(): Promise<ControlPlane> {
    const folder = mkdtempSync(path.join(tmpdir(), 'trawl-kube-'));
    const plane = new ControlPlane(folder, path.join(folder, 'kubeconfig'));
    try {
      await plane.startServers();
      await plane.addNodes();
      for (const file of kubePrograms().crds) await plane.kubectl('create', '-f', file);
      await plane.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
      return plane;
    } catch (error) {
      const said = plane.processes.map(({ output }) => output.slice(-5).join('\n'));
      await plane.stop();
      throw new Error(`the control plane did not start\n${said.join('\n')}`, { cause: error });
    }
  }

  /** What kubectl printed. @throws with its error */
  kubectl(...args: readonly string[]): Promise<string> {
    const env = { KUBECONFIG: this.kubeconfig };
    return runProgram(this.folder, kubePrograms().controlPlane, ['kubectl', ...args], env);
  }

  /** As `kubectl`, with the text as the file that `-f` is to name. */
  async kubectlWith(text: string, ...args: readonly string[]): Promise<string> {
    const file = path.join(this.folder, `${randomBytes(6).toString('hex')}.yaml`);
    writeFileSync(file, text);
    return this.kubectl(...args, '-f', file);
  }

  async stop(): Promise<void> {
    const all = this.processes.splice(0).reverse();
    await Promise.all(all.map((one) => one.stop('SIGTERM', STOP_MS).catch(() => undefined)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async startServers(): Promise<void> {
    const [etcd, peer, api] = [await freePort(), await freePort(), await freePort()];
    this.writeKeys(api);
    this.run('etcd', this.etcdFlags(etcd, peer));
    this.run('kube-apiserver', this.apiFlags(etcd, api));
    const isReady = () =>
      this.kubectl('get', '--raw', '/readyz').then(
        () => true,
        () => false,
      );
    await until(isReady, { what: 'the API server', timeoutMs: START_MS, intervalMs: 500 });
    for (const part of ['kube-controller-manager', 'kube-scheduler'])
      this.run(part, await this.controllerFlags(part));
    this.run('kwok', await this.kwokFlags());
  }

  private run(part: string, flags: Readonly<Record<string, string>>): void {
    const args = [part, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
    const command = kubePrograms().controlPlane;
    this.processes.push(SpawnedProcess.spawn({ name: part, command, args }));
  }

  private writeKeys(api: number): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(this.keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), {
      mode: 0o600,
    });
    const token = randomBytes(16).toString('hex');
    writeFileSync(path.join(this.folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, {
      mode: 0o600,
    });
    const server = `https://127.0.0.1:${api}`;
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    };
    writeFileSync(this.kubeconfig, stringify(config), { mode: 0o600 });
  }

  private get keyFile(): string {
    return path.join(this.folder, 'service-accounts.key');
  }

  private etcdFlags(port: number, peer: number): Readonly<Record<string, string>> {
    const [client, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
    return {
      'data-dir': path.join(this.folder, 'etcd'),
      'unsafe-no-fsync': 'true',
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peers,
      'initial-advertise-peer-urls': peers,
      'initial-cluster': `default=${peers}`,
      'log-level': 'warn',
    };
  }

  private apiFlags(etcd: number, port: number): Readonly<Record<string, string>> {
    return {
      'etcd-servers': `http://127.0.0.1:${etcd}`,
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'secure-port': String(port),
      'endpoint-reconciler-type': 'none',
      'cert-dir': this.folder,
      'service-cluster-ip-range': '10.96.0.0/16',
      'authorization-mode': 'RBAC',
      'token-auth-file': path.join(this.folder, 'tokens.csv'),
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': this.keyFile,
      'service-account-signing-key-file': this.keyFile,
    };
  }

  private async controllerFlags(part: string): Promise<Readonly<Record<string, string>>> {
    const { kubeconfig } = this;
    const flags = {
      kubeconfig,
      'authentication-kubeconfig': kubeconfig,
      'authorization-kubeconfig': kubeconfig,
      'bind-address': '127.0.0.1',
      'secure-port': String(await freePort()),
      'cert-dir': this.folder,
      'leader-elect': 'false',
    };
    if (part === 'kube-scheduler') return flags;
    return {
      ...flags,
      'service-account-private-key-file': this.keyFile,
      'use-service-account-credentials': 'true',
      'allocate-node-cidrs': 'true',
      'cluster-cidr': '10.244.0.0/16',
    };
  }

  private async kwokFlags(): Promise<Readonly<Record<string, string>>> {
    const stages = path.join(this.folder, 'stages.yaml');
    const texts = kubePrograms().stages.map((file) => readFileSync(file, 'utf8'));
    writeFileSync(stages, texts.join('\n---\n'));
    return {
      kubeconfig: this.kubeconfig,
      'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
      'server-address': `127.0.0.1:${await freePort()}`,
      'node-lease-duration-seconds': '40',
      config: stages,
    };
  }

  private async addNodes(): Promise<void> {
    const resources = { cpu: '16', memory: '64Gi', pods: '110' };
    const nodes = Array.from({ length: NODES }, (_, n) => ({
      ...{ apiVersion: 'v1', kind: 'Node' },
      metadata: {
        name: `node-${n}`,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: {
          'kubernetes.io/hostname': `node-${n}`,
          'kubernetes.io/os': 'linux',
          'topology.kubernetes.io/zone': `zone-${n}`,
        },
      },
      status: { allocatable: resources, capacity: resources },
    }));
    await this.kubectlWith(nodes.map((node) => stringify(node)).join('---\n'), 'apply');
    await this.kubectl('wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=60s');
  }
}
