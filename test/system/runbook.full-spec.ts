import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Database } from '@app/database';
import { projectRoot, spawnApp, startFixtureSite, TrawlClient } from '@app/testing';
import { parse } from 'yaml';
import { objectsOf, render } from '../chart/chart-tools.js';
import { workloadsOf } from '../chart/kube-object.js';
import { deployCluster, startStandalone, type Deployment } from './deployment.js';
import { startManagedBroker, type ManagedBroker } from './managed-broker.js';
import { startPrometheus, type Prometheus } from './prometheus.js';
import { commandsOf, RunbookShell, runbookBlocks, type RunbookBlock } from './runbook-commands.js';

const ALL = runbookBlocks();
/** From here on, the commands of `npm start` and compose. */
const FIRST_WITHOUT = ALL.findIndex(({ script }) => script.startsWith('export TRAWL='));
const CLUSTER = ALL.slice(0, FIRST_WITHOUT);
const WITHOUT = ALL.slice(FIRST_WITHOUT);
const titled = (blocks: readonly RunbookBlock[]) =>
  blocks.map((block) => [block.heading || 'the first', block] as const);

/** Runs each SELECT of calls of psql. */
async function expectStatementsRun(
  { database }: Pick<Deployment, 'database'>,
  calls: readonly (readonly string[])[],
): Promise<void> {
  for (const args of calls) {
    const text = args[args.indexOf('-c') + 1] ?? '';
    expect(text).toMatch(/^SELECT /);
    await database.query({ name: '', text });
  }
}

describe('the commands of the runbook for a cluster', () => {
  let broker: ManagedBroker;
  let service: Deployment;
  let prometheus: Prometheus;
  let shell: RunbookShell;
  const folder = mkdtempSync(path.join(tmpdir(), 'runbook-'));

  beforeAll(async () => {
    broker = await startManagedBroker();
    service = await deployCluster({
      brokerUrl: broker.url,
      // The prefix and the roles that the page names.
      env: { BROWSER_MAX: '0', BROKER_PREFIX: 'trawl' },
    });
    service.apps.push(await spawnApp({ app: 'tech-scan', env: service.env }));
    const targets = service.apps.map(({ metricsUrl }) => new URL(metricsUrl).host);
    prometheus = await startPrometheus(targets);
    shell = new RunbookShell(folder, {
      PROM: prometheus.url,
      RABBIT: broker.managementUrl,
      DATABASE_URL: service.env['DATABASE_URL'] ?? '',
      METRICS_PORT: new URL(service.apps[0]?.metricsUrl ?? '').port,
    });
  });
  afterAll(async () => {
    await prometheus?.stop();
    await service?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true });
  });

  it('are those of every alert', () => {
    expect(CLUSTER.length).toBeGreaterThan(20);
  });

  it.each(titled(CLUSTER))('can be pasted: %s', async (_heading, block) => {
    for (const line of block.script.trim().split('\n')) {
      const printed = await shell.run(line);
      const [program] = line.split(' ');
      // A filter that finds nothing among all messages that there are could never find any.
      if (line.includes('| grep')) expect([line, printed.length > 0]).toEqual([line, true]);
      if (program !== 'curl') continue;
      expect([line, JSON.parse(printed)]).toEqual([line, expect.anything()]);
      if (line.includes('$PROM')) expect(printed).toContain('"status":"success"');
      else expect(printed).not.toMatch(/"(?:error|reason)":/);
    }
  });

  it('ask the database what it knows', async () => {
    const calls = shell.callsOf('psql');
    expect(calls.length).toBeGreaterThan(5);
    await expectStatementsRun(service, calls);
  });

  it('name objects of a release `trawl`', () => {
    const objects = objectsOf(render('minimal', ['fullnameOverride="trawl"']));
    const pods = workloadsOf(objects).map(({ metadata, spec }) => ({
      name: metadata.name,
      component: spec.template.metadata.labels?.['app.kubernetes.io/component'] ?? '',
      containers: spec.template.spec.containers.map(({ name }) => name),
    }));
    const calls = shell.callsOf('kubectl');
    expect(calls.length).toBeGreaterThan(25);
    for (const [flag, namespace, verb = '', ...args] of calls) {
      expect([flag, namespace]).toEqual(['-n', 'trawl']);
      expect(['logs', 'get', 'describe', 'top', 'exec']).toContain(verb);
      const text = args.join(' ');
      const [, named, container] = /deploy\/(\S+) -c (\S+)/.exec(text) ?? [];
      if (named !== undefined)
        expect(pods.find(({ name }) => name === named)?.containers).toContain(container);
      const [, one, several] =
        /app\.kubernetes\.io\/component(?:=(\S+)| in \(([^)]+)\))/.exec(text) ?? [];
      for (const wanted of (one ?? several ?? 'api').split(/,\s*/))
        expect(pods.map(({ component }) => component)).toContain(wanted);
    }
  });
});

describe('the commands of the runbook for `npm start` and compose', () => {
  let service: Pick<Deployment, 'apps' | 'url'>;
  let shell: RunbookShell;
  let jobId: string;
  const folder = mkdtempSync(path.join(tmpdir(), 'runbook-'));
  const env = {
    DATA_DIR: path.join(folder, '.data'),
    FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535',
    BROWSER_MAX: '0',
    PORT: '0',
  };
  const textOf = (heading: string): readonly RunbookBlock[] =>
    WITHOUT.filter((block) => block.heading === heading);

  beforeAll(async () => {
    // A database that root starts runs as another user, who has to reach its folder.
    chmodSync(folder, 0o755);
    mkdirSync(path.join(folder, 'docker'));
    writeFileSync(path.join(folder, 'docker/.env'), '');
    const app = await startStandalone(env);
    service = { apps: [app], url: app.url };
    const key = readFileSync(path.join(env.DATA_DIR, 'dev-key'), 'utf8').trim();
    const client = new TrawlClient(app.url, key);
    const site = await startFixtureSite({ treePages: 0 });
    jobId = (await client.crawl({ url: site.url('/') })).jobId;
    await client.waitForEnd(jobId);
    await site.close();
    shell = new RunbookShell(folder, { ...env, PORT: new URL(app.url).port, ID: jobId });
  });
  afterAll(async () => {
    for (const app of service?.apps ?? []) await app.process.stop('SIGTERM');
    await rm(folder, { recursive: true, maxRetries: 5 });
  });

  /** A block in a terminal in which the page's variables are set. */
  const paste = ({ script }: RunbookBlock): Promise<string> =>
    shell.run(`${variables()}\n${script}`);
  const variables = (): string =>
    (WITHOUT[0]?.script ?? '').replace('http://127.0.0.1:3000', service.url);

  it('set the variables that the others use', async () => {
    const [key, url = ''] = (await shell.run(`${variables()}echo "$KEY"; echo "$DB"`)).split('\n');
    expect(key).toBe(readFileSync(path.join(env.DATA_DIR, 'dev-key'), 'utf8').trim());
    const database = new Database({
      url,
      poolSize: 2,
      applicationName: 'system-test',
      connectTimeoutMs: 60_000,
    });
    await database.connect();
    await database.close();
  });

  it('tell why a crawl does not go on', async () => {
    const [forBoth, forCompose] = textOf('A crawl does not go on');
    const [report = '', ...urls] = commandsOf(forBoth ?? NONE, 'curl');
    expect(urls).toHaveLength(2);
    const printed = await shell.run(`${variables()}${report}`);
    expect(JSON.parse(printed)).toMatchObject({ id: jobId, status: 'completed', pages_scraped: 6 });
    for (const one of urls)
      expect(JSON.parse(await shell.run(`${variables()}${one}`))).toMatchObject({ urls: [] });
    await paste(forBoth ?? NONE);
    await paste(forCompose ?? NONE);
  });

  it('show health, errors and a full disk', async () => {
    const [health = NONE] = textOf('Without Kubernetes and Prometheus').slice(1);
    const printed = await paste(health);
    expect(printed).toContain('{"status":"ready"');
    expect(printed).toMatch(/^ok {4}service +is running/m);
    expect(printed).toContain('"level":"error"');
    const [disk = NONE] = textOf('The disk is full');
    expect(await paste(disk)).toMatch(/^1\n[\s\S]+\t\.data\/postgres\n/);
    const [, , setting = NONE] = textOf('Upgrade');
    expect(await paste(setting)).toContain('"level":"warn"');
  });

  it('for compose name what docker/compose.yaml has', async () => {
    for (const block of WITHOUT.filter(({ script }) => script.includes('docker')))
      await paste(block);
    const compose = parse(readFileSync(path.join(projectRoot(), 'docker/compose.yaml'), 'utf8'), {
      merge: true,
    }) as { name: string; services: Record<string, { image: string }>; volumes: object };
    const images = Object.values(compose.services).map(({ image }) => image);
    const calls = shell.callsOf('docker');
    expect(calls.length).toBeGreaterThan(12);
    for (const [command = '', ...args] of calls) {
      if (command === 'system') continue;
      if (command === 'run') {
        const volume = args.find((arg) => /^\w+:\/data/.test(arg))?.split(':')[0] ?? '';
        const volumes = Object.keys(compose.volumes).map((one) => `${compose.name}_${one}`);
        expect(volumes).toContain(volume);
        const image = args.find((arg) => arg.startsWith('postgres:'));
        expect(images.some((one) => one.endsWith(`:-${image}}`))).toBe(true);
        continue;
      }
      const [flag, file, verb = '', ...rest] = args;
      expect([command, flag, file]).toEqual(['compose', '-f', 'docker/compose.yaml']);
      for (const named of servicesIn(verb, rest))
        expect(Object.keys(compose.services)).toContain(named);
    }
  });

  it('ask the database what it knows', async () => {
    const url = (await shell.run(`${variables()}printf %s "$DB"`)).trim();
    const database = new Database({
      url,
      poolSize: 2,
      applicationName: 'system-test',
      connectTimeoutMs: 60_000,
    });
    await database.connect();
    const inCompose = shell.callsOf('docker').filter((args) => args.includes('-c'));
    expect(inCompose.length).toBeGreaterThan(0);
    await expectStatementsRun({ database }, [...shell.callsOf('psql'), ...inCompose]);
    await database.close();
  });

  // Last: it stops the service.
  it('bring a lost data folder back from its copy', async () => {
    for (const app of service.apps) await app.process.stop('SIGTERM');
    const [copy = NONE] = textOf('Upgrade');
    const [restore = NONE] = textOf('Restore from a backup');
    expect(commandsOf(copy, 'tar', 'git', 'npm')).toEqual(copy.script.trim().split('\n'));
    await shell.run(copy.script);
    await shell.run(restore.script);
    const app = await startStandalone(env);
    service = { apps: [app], url: app.url };
    const [report = NONE] = textOf('A crawl does not go on');
    const printed = await shell.run(`${variables()}${commandsOf(report, 'curl')[0] ?? ''}`);
    expect(JSON.parse(printed)).toMatchObject({ id: jobId, status: 'completed', pages_scraped: 6 });
  });
});

const NONE: RunbookBlock = { heading: '', script: 'exit 9' };

/** Names of services among the arguments of a compose command. */
function servicesIn(verb: string, args: readonly string[]): readonly string[] {
  const named = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--since');
  switch (verb) {
    case 'exec':
      return named.slice(0, 1);
    case 'logs':
    case 'restart':
    case 'up':
      return named;
    case 'build':
    case 'create':
    case 'ps':
      expect(named).toEqual([]);
      return [];
    default:
      throw new Error(`compose ${verb} is not checked`);
  }
}
