import { readFileSync } from 'node:fs';
import path from 'node:path';
import { usualNodeFlags } from '@app/testing';
import { StdioTools } from '../../test/stdio-tools.js';
import { TOOLS } from './tools/all-tools.js';

const ROOT = path.resolve(__dirname, '../../../..');
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/mcp.md'), 'utf8');
const MAIN = path.join(ROOT, 'dist/apps/cli/src/main.js');

interface HostEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const CONFIGURATIONS = [...DOCUMENT.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = '']) => JSON.parse(json) as Readonly<Record<string, { readonly trawl: HostEntry }>>,
);

describe('docs/mcp.md', () => {
  it('shows every tool as the code has it', () => {
    const start = DOCUMENT.indexOf('-->', DOCUMENT.indexOf('<!-- tools')) + 3;
    const table = DOCUMENT.slice(start, DOCUMENT.indexOf('<!-- /tools -->')).trim();
    const shown = table
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(shown).toEqual(TOOLS.map(({ name, title, credits }) => [`\`${name}\``, title, credits]));
  });

  it('has three configurations', () => {
    expect(CONFIGURATIONS).toHaveLength(3);
  });

  it.each(CONFIGURATIONS.map((file, index) => [index + 1, file] as const))(
    'has a configuration that starts the tool server: %i',
    async (_, file) => {
      const {
        command,
        args,
        env = {},
      } = Object.values(file)[0]?.trawl ?? { command: '', args: [] };
      expect(command).toBe('trawl');
      // As the installed command starts its program.
      const program = [process.execPath, ...usualNodeFlags(), MAIN, ...args] as const;
      const tools = StdioTools.start({ command: [...program] as [string, ...string[]], env });
      try {
        expect((await tools.peer.initialize())['serverInfo']).toMatchObject({ name: 'trawl' });
        expect(await tools.peer.tools()).toHaveLength(TOOLS.length);
        if (env['TRAWL_URL'] === undefined) {
          const { content } = await tools.peer.call('scrape', { url: 'http://a.example/' });
          expect(content[0]?.text).toMatch(/^TRAWL_URL is not set/);
        }
      } finally {
        await tools.stop();
      }
    },
  );
});
