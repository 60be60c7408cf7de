import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startFixtureSite, type FixtureSite } from '@app/testing';
import { runNode, runProgram } from '../setup/run-program.js';
import { machineNode } from './cli-run.js';
import { deploy, type Deployment } from './deployment.js';

const MAX_PACKED_BYTES = 300_000;

const PROGRAM = `
import { Trawl, CLIENT_VERSION } from '@trawl/client';
const trawl = new Trawl({ baseUrl: process.env.TRAWL_URL, apiKey: process.env.TRAWL_API_KEY });
let pages = 0;
for await (const page of await trawl.crawl(process.env.SITE)) pages += page.ok ? 1 : 0;
console.log(CLIENT_VERSION, pages);
`;
const TYPED = `
import { Trawl } from '@trawl/client';
const trawl = new Trawl({ baseUrl: 'http://a.example', apiKey: 'k' });
export const text: string | undefined = (await trawl.scrape('u')).markdown;
// @ts-expect-error: no such format
await trawl.scrape('u', { formats: ['csv'] });
`;

describe('the packages of npm run pack', () => {
  let folder: string;
  let site: FixtureSite;
  let service: Deployment;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-packages-'));
    site = await startFixtureSite({ treePages: 0 });
    service = await deploy('cluster', { env: { BROWSER_MAX: '0' } });
    env = { TRAWL_URL: service.url, TRAWL_API_KEY: service.key, SITE: site.url('/') };
    await runNode(folder, 'scripts/pack.mjs', path.join(folder, 'packed'));
    const packed = await readdir(path.join(folder, 'packed'));
    const files = packed.map((name) => path.join(folder, 'packed', name));
    await mkdir(path.join(folder, 'user'));
    await writeFile(path.join(folder, 'user/package.json'), '{"type":"module"}');
    await runProgram(path.join(folder, 'user'), 'npm', ['install', '--no-fund', '--no-audit', ...files]); // prettier-ignore
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const user = (): string => path.join(folder, 'user');

  it('are two small files', async () => {
    const packed = await readdir(path.join(folder, 'packed'));
    expect(packed.map((name) => name.replace(/\d{1,3}\.\d{1,3}\.\d{1,3}/, 'V')).sort()).toEqual([
      'trawl-cli-V.tgz',
      'trawl-client-V.tgz',
    ]);
    for (const name of packed)
      expect((await stat(path.join(folder, 'packed', name))).size).toBeLessThan(MAX_PACKED_BYTES);
  });

  it.each([...new Set([process.execPath, machineNode()])])('run under %s', async (node) => {
    const bin = path.join(user(), 'node_modules/.bin/trawl');
    const page = await runProgram(user(), node, [bin, 'scrape', site.url('/')], env);
    expect(page).toContain('Small site');
    const out = await mkdtemp(path.join(folder, 'site-'));
    await runProgram(user(), node, [bin, 'crawl', site.url('/'), '--out', out], env);
    expect(await readdir(out)).toHaveLength(8);
    await writeFile(path.join(user(), 'program.js'), PROGRAM);
    expect(await runProgram(user(), node, ['program.js'], env)).toMatch(/^\d+\.\d+\.\d+ 6\n$/);
  });

  it('start by their own name', async () => {
    const bin = path.join(user(), 'node_modules/.bin/trawl');
    expect(await runProgram(user(), bin, ['--version'], env)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('come with types', async () => {
    await writeFile(path.join(user(), 'typed.ts'), TYPED);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022'];
    const browser = ['--module', 'nodenext', '--lib', 'es2023,dom,dom.asynciterable'];
    const nowhere = ['--typeRoots', '/nowhere'];
    await runNode(user(), 'node_modules/typescript/bin/tsc', ...options, ...browser, ...nowhere, 'typed.ts'); // prettier-ignore
  });
});
