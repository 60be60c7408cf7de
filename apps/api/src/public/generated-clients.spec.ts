import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { LISTING, served } from '../../test/played-replies.js';
import { startApi, type StartedApi } from '../../test/started-api.js';
import { documentedOperations } from './documented-operations.js';

const ROOT = path.resolve(__dirname, '../../../..');
const CLIENTS = path.join(ROOT, 'apps/api/test/clients');
/** The first run on a machine installs packages from PyPI. */
const INSTALL_MS = 300_000;

const execute = promisify(execFile);

/** What a client in TypeScript may write; errors are as much expected as their absence. */
const USAGE = `
import type { components, paths } from './api';

type Schemas = components['schemas'];
export const scrape: Schemas['ScrapeRequest'] = { url: 'http://a.example/' };
export const crawl: Schemas['CrawlRequest'] = { url: 'http://a.example/', scrapeOptions: { formats: ['links'] } };
export const batch: Schemas['BatchRequest'] = { urls: ['http://a.example/'], actions: [{ type: 'wait', ms: 5 }] };
export const extract: Schemas['ExtractRequest'] = { html: '<p>text</p>', complexity: null };
export const enrich: Schemas['EnrichRequest'] = { domain: 'a.example', includeTech: false };
export const brand: Schemas['BrandRequest'] = { url: 'http://a.example/' };
// @ts-expect-error: \`url\` is required.
export const nothing: Schemas['ScrapeRequest'] = {};
// @ts-expect-error: no such format.
export const odd: Schemas['ScrapeRequest'] = { url: 'http://a.example/', formats: ['csv'] };

type Answer = paths['/v1/scrape']['post']['responses'][200]['content']['application/json'];
export const textOf = (answer: Answer): string | undefined => answer.markdown;
`;

describe('generators of clients and the OpenAPI document', () => {
  let api: StartedApi;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    api = await startApi();
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-clients-'));
    file = path.join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${api.url}/openapi.json`)).text());
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What a program wrote; a failure shows all of it. */
  const run = async (program: string, args: readonly string[], env = {}): Promise<string> => {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await execute(program, args, options).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${path.basename(args[0] ?? program)} failed\n${out}\n${stderr}`);
    });
    return stdout;
  };
  const runNode = (script: string, ...args: string[]): Promise<string> =>
    run(process.execPath, [path.join(ROOT, script), ...args], {
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    });

  it('passes every rule that Redocly recommends, without a warning', async () => {
    const config = path.join(CLIENTS, 'redocly.yaml');
    const args = ['lint', file, '--config', config, '--format', 'json'];
    const report = await runNode('node_modules/@redocly/cli/bin/cli.js', ...args);
    expect(JSON.parse(report)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
  });

  it('gives TypeScript types in which a field with a default may be left out', async () => {
    await runNode('node_modules/openapi-typescript/bin/cli.js', file, '-o', 'api.ts');
    await writeFile(path.join(folder, 'usage.ts'), USAGE);
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--ignoreConfig'];
    await runNode('node_modules/typescript/bin/tsc', ...options, 'usage.ts');
  });

  it(
    'gives a Python client that has every operation, and works',
    async () => {
      await api.play('scrape', () => served({ listing: LISTING }));
      const requirements = path.join(CLIENTS, 'requirements.txt');
      const python = (await runNode('scripts/python.mjs', requirements)).trim();
      const config = ['--config', path.join(CLIENTS, 'generator.yaml'), '--fail-on-warning'];
      const generator = path.join(path.dirname(python), 'openapi-python-client');
      await run(generator, ['generate', '--path', file, '--output-path', 'client', ...config]);
      const call = [path.join(CLIENTS, 'call.py'), 'client', api.url, api.key];
      const document = JSON.parse(await readFile(file, 'utf8')) as OpenAPIObject;
      expect(JSON.parse(await run(python, call))).toEqual({
        operations: documentedOperations(document).length,
        markdown: '# A',
        listing: 'Corner Bakery',
        refused: [400, '`url` is required'],
      });
    },
    INSTALL_MS,
  );
});
