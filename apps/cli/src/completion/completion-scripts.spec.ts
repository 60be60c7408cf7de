import { execFileSync } from 'node:child_process';
import { runTrawl } from '../../test/run-trawl.js';

async function scriptOf(shell: string): Promise<string> {
  const { code, out, err } = await runTrawl(['completion', shell]);
  expect([code, err]).toEqual([0, '']);
  return out;
}

describe('completion in bash', () => {
  it.each<[string, string]>([
    ['trawl cr', 'crawl'],
    ['trawl crawl --sit', '--sitemap'],
    ['trawl crawl --sitemap ', 'include skip only'],
    ['trawl crawl --out ', ''],
    ['trawl --quiet jobs ', 'cancel'],
    ['trawl jobs cancel --q', '--quiet'],
    ['trawl completion ', 'bash zsh fish'],
    ['trawl scrape -f li', 'links'],
    ['trawl screenshot https://example.com/ --no', '--no-full-page --no-scroll'],
  ])('of %j', async (line, words) => {
    const ask = `COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _trawl; echo "\${COMPREPLY[*]}"`; // prettier-ignore
    const script = `${await scriptOf('bash')}\n${ask}`;
    const out = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
    expect(out.trim()).toBe(words);
  });
});

describe('completion scripts', () => {
  it('know every command of the help text, and its options', async () => {
    const { out: help } = await runTrawl(['--help']);
    const names = [...help.matchAll(/^ {2}(\w+) .*\s{2}/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    const [bash, zsh, fish] = await Promise.all(['bash', 'zsh', 'fish'].map(scriptOf));
    for (const name of names) {
      expect(bash).toContain(`" ${name}") command="${name}"`);
      expect(zsh).toContain(`_trawl_${name}() {`);
      expect(fish).toContain(`-n '__fish_use_subcommand' -a ${name} -d `);
    }
    expect(zsh).toContain(`'*--sitemap[sitemaps]:use:(include skip only)'`);
    expect(fish).toContain(`-l sitemap -x -a 'include skip only' -d 'sitemaps'`);
    expect(fish).toContain(`-s o -l out -r -F -d `);
  });

  it('quote what a shell would read', async () => {
    const [zsh, fish] = await Promise.all(['zsh', 'fish'].map(scriptOf));
    expect(zsh).toContain(String.raw`the page'\''s own site`);
    expect(zsh).toContain(String.raw`request header "name\: value"`);
    expect(fish).toContain(String.raw`the page\'s own site`);
  });

  it('are refused for another shell', async () => {
    const { code, err } = await runTrawl(['completion', 'tcsh']);
    expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});
