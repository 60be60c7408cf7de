import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { projectRoot } from '@app/testing';
import { runNode, runProgram } from '../../../../test/setup/run-program.js';
import { LISTING, served } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';
import { documentedOperations } from './documented-operations.js';

const CLIENTS = path.resolve(__dirname, '../../test/clients');
/** The first run on a machine installs packages from PyPI. */
const INSTALL_MS = 300_000;

/** Arguments of the command in docs/client.md. */
async function documentedArguments(): Promise<string[]> {
  const text = await readFile(path.join(projectRoot(), 'docs/client.md'), 'utf8');
  const [, args = ''] = /^pipx run openapi-python-client (.*)$/m.exec(text) ?? [];
  return args.split(' ');
}

describe('the generator of Python clients and the OpenAPI document', () => {
  let api: StartedApi;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    api = await startTestApi();
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-python-'));
    file = path.join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${api.url}/openapi.json`)).text());
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'generates a working Python client with every operation',
    async () => {
      await api.fakeFetcher('scrape', () => served({ listing: LISTING }));
      const requirements = path.join(CLIENTS, 'requirements.txt');
      const python = (await runNode(folder, 'scripts/python.mjs', requirements)).trim();
      const config = ['--config', path.join(CLIENTS, 'generator.yaml'), '--fail-on-warning'];
      const generator = path.join(path.dirname(python), 'openapi-python-client');
      const documented = await documentedArguments();
      expect(documented).toEqual(['generate', '--url', 'http://127.0.0.1:3000/openapi.json']);
      const args = documented.map((one) => one.replace('http://127.0.0.1:3000', api.url));
      await runProgram(folder, generator, [...args, '--output-path', 'client', ...config]);
      const call = [path.join(CLIENTS, 'call.py'), 'client', api.url, api.key];
      const document = JSON.parse(await readFile(file, 'utf8')) as OpenAPIObject;
      expect(JSON.parse(await runProgram(folder, python, call))).toEqual({
        operations: documentedOperations(document).length,
        markdown: '# A',
        listing: 'Corner Bakery',
        refused: [400, '`url` is required'],
      });
    },
    INSTALL_MS,
  );
});
