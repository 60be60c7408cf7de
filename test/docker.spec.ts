import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { SETTING_NAMES } from '@app/config';
import { projectRoot, usualNodeFlags } from '@app/testing';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly target: string;
    readonly args?: Readonly<Record<string, string>>;
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly shm_size?: string;
  readonly deploy?: { readonly replicas?: number };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The fields of an OCI seccomp profile that the project's profile uses. */
interface Seccomp {
  readonly defaultAction: string;
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string }[];
}

interface Stage {
  readonly name: string;
  readonly base: string;
  readonly lines: readonly string[];
}

const read = (file: string): string => readFileSync(path.join(projectRoot(), file), 'utf8');
const composeText = read('docker/compose.yaml');
const compose = parse(composeText, { merge: true }) as Compose;
const stages = parseStages(read('docker/Dockerfile'));
const services = Object.entries(compose.services);
const ownServices = services.filter(([, service]) => service.build !== undefined);
/** Settings of docker/storage/make-storage.mjs. */
const ACCOUNT_SECRETS = [
  'API_STORAGE_SECRET',
  'FETCHER_STORAGE_SECRET',
  'TECH_SCAN_STORAGE_SECRET',
];
const targets = ['api', 'fetcher', 'tech-scan', 'standalone'];

describe('the Dockerfile', () => {
  const copies = stages.flatMap(({ name, lines }) =>
    lines.filter((line) => /^COPY (?!--from)/.test(line)).map((line) => [name, line] as const),
  );

  it.each(copies)('copies only files that exist (%s: %s)', (_stage, line) => {
    const allowed = read('docker/Dockerfile.dockerignore').split('\n');
    for (const source of line.split(/\s+/).slice(1, -1)) {
      expect(existsSync(path.join(projectRoot(), source))).toBe(true);
      expect(allowed).toContain(`!${source}`);
    }
  });

  it('copies from stages that it has', () => {
    const names = stages.map(({ name }) => name);
    const wanted = stages.flatMap(({ lines }) =>
      lines.flatMap((line) => /--from=(\S+)/.exec(line)?.[1] ?? []),
    );
    expect(wanted.length).toBeGreaterThan(0);
    for (const name of wanted) expect(names).toContain(name);
  });

  it.each(targets)('runs %s as an ordinary user, under an init, by Node itself', (target) => {
    const lines = inherited(target);
    const source = `apps/${target}/src/main.ts`;
    const entry = `dist/${source.replace(/ts$/, 'js')}`;
    expect(existsSync(path.join(projectRoot(), source))).toBe(true);
    const command = ['node', ...usualNodeFlags(), entry].map((part) => `"${part}"`).join(', ');
    expect(lines.at(-1)).toBe(`CMD [${command}]`);
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER 10001:10001']);
    expect(lines).toContain('ENTRYPOINT ["/usr/bin/tini", "--"]');
    expect(
      lines.some((line) => /^HEALTHCHECK .* CMD \["node", "docker\/health.mjs"\]$/.test(line)),
    ).toBe(true);
  });

  it.each(targets)('puts Chromium into %s only where pages are rendered', (target) => {
    const hasChromium = inherited(target).some((line) =>
      /install .*\bchromium-headless-shell\b/.test(line),
    );
    expect(hasChromium).toBe(target === 'fetcher' || target === 'standalone');
  });

  it('sets only variables that are settings', () => {
    const names = stages
      .flatMap(({ lines }) => lines.filter((line) => line.startsWith('ENV ')))
      .flatMap(namesInEnv);
    for (const name of names) expect([...SETTING_NAMES, 'NODE_ENV', 'HOME']).toContain(name);
  });

  it('installs and builds with the commands that verify-build.mjs tries', () => {
    const lines = stages.flatMap((stage) => stage.lines);
    expect(lines.filter((line) => line.startsWith('RUN npm ci --omit=dev'))).toHaveLength(1);
    expect(lines.filter((line) => line === 'RUN node scripts/build.mjs')).toHaveLength(1);
  });
});

describe('the compose file', () => {
  it('has every process of the cluster, and two fetchers', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      ['api', 'fetcher', 'minio', 'postgres', 'rabbitmq', 'storage-accounts', 'tech-scan'].sort(),
    );
    expect(compose.services.fetcher?.deploy?.replicas).toBe(2);
  });

  it.each(ownServices)('builds %s from a target of the Dockerfile', (_name, service) => {
    expect(service.build?.context).toBe('..');
    expect(existsSync(path.join(projectRoot(), service.build?.dockerfile ?? ''))).toBe(true);
    expect(stages.map(({ name }) => name)).toContain(service.build?.target);
  });

  it.each(ownServices)('gives %s only settings that exist', (_name, service) => {
    const secrets = service === compose.services['storage-accounts'] ? ACCOUNT_SECRETS : [];
    for (const name of Object.keys(service.environment ?? {}))
      expect([...SETTING_NAMES, ...secrets]).toContain(name);
  });

  it.each(ownServices)('locks %s down', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: expect.arrayContaining(['no-new-privileges:true']),
    });
  });

  it.each(services)(
    'bounds the memory of %s and uses declared networks and volumes',
    (_name, service) => {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      for (const network of service.networks) expect(compose.networks).toHaveProperty(network);
      for (const [source = ''] of (service.volumes ?? []).map((volume) => volume.split(':')))
        if (source.startsWith('./'))
          expect(existsSync(path.join(projectRoot(), 'docker', source))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
    },
  );

  it.each(services)('waits in %s only for conditions that can be met', (_name, service) => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const awaited = compose.services[other];
      expect(awaited).toBeDefined();
      if (condition === 'service_healthy') expect(isChecked(awaited)).toBe(true);
      else expect(condition).toBe('service_completed_successfully');
    }
  });

  it.each(services)(
    'publishes ports of %s on loopback only, and only the two that clients need',
    (name, service) => {
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
      expect((service.ports ?? []).length > 0).toBe(name === 'api' || name === 'minio');
    },
  );

  it.each(services.filter(([, service]) => service.build === undefined))(
    'pins the image of %s',
    (_name, service) => {
      expect(service.image).toMatch(/^\$\{[A-Z]+_IMAGE:-[\w/]+:(\d+\.\d+|RELEASE\.\d{4})/);
    },
  );

  it('runs the fetcher under a seccomp profile that leaves Chromium its sandbox', () => {
    const [, file = ''] = compose.services.fetcher?.security_opt?.at(-1)?.split('seccomp:') ?? [];
    const profile = JSON.parse(read(path.join('docker', file))) as Seccomp;
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW');
    const refused = profile.syscalls.flatMap(({ names, action }) =>
      action === 'SCMP_ACT_ERRNO' ? names : [],
    );
    expect(new Set(refused).size).toBe(refused.length);
    expect(refused).toEqual(
      expect.arrayContaining(['mount', 'setns', 'ptrace', 'bpf', 'init_module', 'keyctl']),
    );
    for (const needed of ['clone', 'clone3', 'unshare', 'chroot', 'seccomp', 'prctl'])
      expect(refused).not.toContain(needed);
  });

  it('gives tech-scan no internet access and no database', () => {
    const networks = compose.services['tech-scan']?.networks ?? [];
    expect(networks).toEqual(['broker', 'storage']);
    for (const name of networks) expect(compose.networks[name]?.internal).toBe(true);
    expect(compose.services['tech-scan']?.environment).not.toHaveProperty('DATABASE_URL');
  });

  it('gives no two processes the same account of the database or the storage', () => {
    for (const setting of ['DATABASE_URL', 'STORAGE_URL']) {
      const accounts = ownServices.flatMap(([, { environment }]) => environment?.[setting] ?? []);
      expect(accounts.length).toBeGreaterThan(1);
      const users = accounts.map((address) => address.split(/[/:]+/)[1]);
      expect(new Set(users).size).toBe(accounts.length);
      expect(new Set(accounts.map((address) => /\$\{(\w+)/.exec(address)?.[1])).size).toBe(
        accounts.length,
      );
    }
  });

  it('keeps fetchers off the network of the published ports', () => {
    expect(compose.services['fetcher']?.networks).not.toContain('public');
  });

  it('has no password of its own: each comes from docker/.env and must be there', () => {
    const secrets = services.flatMap(([, service]) => Object.entries(service.environment ?? {}));
    for (const [name, value] of secrets.filter(([key]) => /PASS|SECRET|KEY/.test(key))) {
      expect(`${name}=${value}`).toMatch(/=\$\{\w+:\?/);
    }
    const example = read('docker/.env.example');
    for (const name of required()) expect(example).toContain(`${name}=\n`);
  });

  it('makes its bucket and accounts with a script that is in the image', () => {
    expect(compose.services['storage-accounts']?.command).toEqual([
      'node',
      'docker/storage/make-storage.mjs',
    ]);
    expect(inherited('api')).toContain('COPY docker/storage docker/storage');
  });
});

describe('init-env.sh', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'init-env-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (file: string): string =>
    execFileSync('sh', [path.join(projectRoot(), 'docker/init-env.sh'), file], {
      encoding: 'utf8',
    });

  it('writes a random value for everything that compose requires, for its owner only', () => {
    const file = path.join(folder, '.env');
    run(file);
    const values = Object.fromEntries(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    for (const [, name] of composeText.matchAll(/\$\{(\w+):\?/g))
      expect(values[name ?? '']).toMatch(
        // 32 bytes in base64, without its `=`.
        name === 'PROFILE_KEYS' ? /^[\w+/]{43}$/ : /^[0-9a-f]{48}$/,
      );
    expect(new Set(Object.values(values)).size).toBe(Object.keys(values).length);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('keeps passwords that are there: the databases were made with them', () => {
    const file = path.join(folder, '.env');
    run(file);
    const before = readFileSync(file, 'utf8');
    expect(run(file)).toMatch(/there already/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('pin-images.sh', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'pin-images-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** With a docker that knows every image by this answer. */
  function run(file: string, digest: string): string {
    writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\necho "${digest}"\n`, { mode: 0o755 });
    return execFileSync('sh', [path.join(projectRoot(), 'docker/pin-images.sh'), file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
  }
  const named = new Map(
    [composeText, read('docker/Dockerfile')]
      .flatMap((text) => [...text.matchAll(/\b([A-Z]{2,20}_IMAGE)(?::-|=)([\w/.:-]+)/g)])
      .map(([, name = '', image = '']) => [name, image]),
  );

  it('adds the digest of every image that is named, and keeps the rest of the file', () => {
    const file = path.join(folder, '.env');
    writeFileSync(file, 'POSTGRES_PASSWORD=secret\nNODE_IMAGE=node:old@sha256:0\n');
    run(file, 'sha256:abc');
    const pins = [...named].map(([name, image]) => `${name}=${image}@sha256:abc`);
    expect(readFileSync(file, 'utf8').trim().split('\n').sort()).toEqual(
      ['POSTGRES_PASSWORD=secret', ...pins].sort(),
    );
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('changes nothing when a digest cannot be read', () => {
    const file = path.join(folder, '.env');
    writeFileSync(file, 'POSTGRES_PASSWORD=secret\n');
    expect(() => run(file, 'no such manifest')).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('POSTGRES_PASSWORD=secret\n');
  });
});

/** Variables without which compose starts nothing. */
function required(): readonly string[] {
  return [...composeText.matchAll(/\$\{(\w+):\?[^}]+\}/g)].map((match) => match[1] ?? '');
}

/** Continued lines joined, comments left out. */
function parseStages(text: string): readonly Stage[] {
  const lines = text
    .replaceAll(/\\\n[ \t]*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const found: { name: string; base: string; lines: string[] }[] = [];
  for (const line of lines) {
    const from = /^FROM (\S+) AS (\S+)$/.exec(line);
    if (from) found.push({ base: from[1] ?? '', name: from[2] ?? '', lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}

/** Lines of a stage after those of the stages that it starts from. */
function inherited(name: string): readonly string[] {
  const stage = stages.find((candidate) => candidate.name === name);
  return stage === undefined ? [] : [...inherited(stage.base), ...stage.lines];
}

function namesInEnv(line: string): readonly string[] {
  return line
    .slice('ENV '.length)
    .split(/\s+/)
    .map((pair) => pair.split('=')[0] ?? '');
}

function isChecked(service: Service | undefined): boolean {
  if (service?.build !== undefined)
    return inherited(service.build.target).some((line) => line.startsWith('HEALTHCHECK'));
  return (service?.healthcheck?.test?.length ?? 0) > 0;
}
