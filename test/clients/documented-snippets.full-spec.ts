import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot, startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from '../system/deployment.js';
import { clientEnv, INSTALL_MS, npmClients, pythonClients } from './client-driver.js';

interface Snippet {
  readonly language: string;
  readonly code: string;
}

describe('the snippets of docs/v2-clients.md', () => {
  let site: FixtureSite;
  let service: Deployment;
  let folder: string;
  let packages: string;
  let snippets: readonly Snippet[];

  beforeAll(async () => {
    const text = await readFile(path.join(projectRoot(), 'docs/v2-clients.md'), 'utf8');
    snippets = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(
      ([, language = '', code = '']) => ({ language, code }),
    );
    site = await startFixtureSite({ treePages: 10 });
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-snippets-'));
    packages = await npmClients('firecrawl');
    await symlink(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'));
    service = await deploy('cluster', { env: { BROWSER_MAX: '0' } });
  }, INSTALL_MS);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What a snippet prints, on the fixture site. */
  async function printed({ language, code }: Snippet): Promise<string> {
    const file = path.join(folder, `snippet.${{ js: 'mjs', python: 'py' }[language] ?? language}`);
    await writeFile(file, code.replaceAll('https://example.com/', site.url('/')));
    const needs = code.includes('llama_index') ? 'llama-index' : 'firecrawl';
    const program = { js: process.execPath, sh: 'sh' }[language] ?? (await pythonClients(needs));
    const bin = [path.join(packages, 'node_modules/.bin'), path.dirname(process.execPath)];
    const env = {
      ...clientEnv({ url: '', key: '' }, folder),
      ...{ PATH: [...bin, process.env['PATH']].join(':'), TRAWL: service.url, KEY: service.key },
    };
    return (await promisify(execFile)(program, [file], { env, cwd: folder })).stdout;
  }

  it(
    'print what they say',
    async () => {
      const run = snippets.filter(({ language }) => language !== 'json');
      expect(run.map(({ language }) => language)).toEqual([
        'js',
        'sh',
        'python',
        'python',
        'python',
      ]);
      for (const snippet of run)
        expect(await printed(snippet)).toContain('This paragraph is about Small site /');
      const [js, , python] = run;
      if (js) expect(await printed(js)).toMatch(/(?:^http\S+\n){5}completed\n$/m);
      if (python) expect(await printed(python)).toMatch(/completed 5\n$/);
    },
    INSTALL_MS,
  );

  it('configure the tool server by the variables that it reads', async () => {
    const json = snippets.find(({ language }) => language === 'json')?.code ?? '{}';
    const { mcpServers } = JSON.parse(json) as {
      mcpServers: { firecrawl: { args: readonly string[]; env: object } };
    };
    const { args, env } = mcpServers.firecrawl;
    expect(Object.keys(env).sort()).toEqual(['FIRECRAWL_API_KEY', 'FIRECRAWL_API_URL']);
    const file = path.join(packages, 'node_modules/firecrawl-mcp/package.json');
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
    expect(args).toContain(`firecrawl-mcp@${version}`);
  });
});
