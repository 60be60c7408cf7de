import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { LeftOut } from '../contender.js';
import { BATCH_WORDS } from './batch-signals.js';
import { pythonWith } from './python-packages.js';

describe('a Python with packages', () => {
  let dir: string;
  let requirements: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'trawl-python-'));
    requirements = path.join(dir, 'requirements.txt');
    await writeFile(requirements, 'nothing==1.0\n');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** A program that plays python3 and writes down what it was asked. */
  async function fakePython(body: string): Promise<string> {
    const file = path.join(dir, 'python3');
    await writeFile(file, `#!/bin/sh\necho "$@" >> ${dir}/asked\n${body}\n`);
    await chmod(file, 0o755);
    return file;
  }

  /** `-m venv DIR` makes an interpreter there that is the fake itself. */
  const MAKES_VENV = 'if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi';

  it('is said to be missing where there is none', async () => {
    const attempt = pythonWith(requirements, dir, path.join(dir, 'no-such-python'));
    await expect(attempt).rejects.toThrow(LeftOut);
    await expect(attempt).rejects.toThrow(/^python3 is not on this machine \(.*ENOENT/);
  });

  it.each([
    ['venv', 'python3 could not make a virtual environment (no module named venv)'],
    ['pip', 'pip could not install its packages (no module named pip)'],
  ])('says what is missing: %s', async (module, problem) => {
    const python = await fakePython(
      `if [ "$2" = ${module} ]; then echo "no module named ${module}" >&2; exit 1; fi\n${MAKES_VENV}`,
    );
    const attempt = pythonWith(requirements, dir, python);
    await expect(attempt).rejects.toThrow(LeftOut);
    await expect(attempt).rejects.toThrow(problem);
  });

  it('is made once, and again for other packages', async () => {
    const python = await fakePython(MAKES_VENV);
    const first = await pythonWith(requirements, dir, python);
    expect(await pythonWith(requirements, dir, python)).toBe(first);
    await writeFile(requirements, 'nothing==2.0\n');
    expect(await pythonWith(requirements, dir, python)).not.toBe(first);
    const asked = await readFile(path.join(dir, 'asked'), 'utf8');
    expect(asked.match(/-m pip install/g)).toHaveLength(2);
  });

  it('is created again where its creation was interrupted', async () => {
    const python = await fakePython(MAKES_VENV);
    const interpreter = await pythonWith(requirements, dir, python);
    await rm(path.join(path.dirname(interpreter), '../installed'));
    await pythonWith(requirements, dir, python);
    const asked = await readFile(path.join(dir, 'asked'), 'utf8');
    expect(asked.match(/-m venv/g)).toHaveLength(2);
  });
});

describe('the Scrapy program', () => {
  const file = (name: string) => readFile(path.join(projectRoot(), 'bench/scrapy', name), 'utf8');

  it('says the words the harness waits for', async () => {
    const words = `READY, DONE = "${BATCH_WORDS.ready}", "${BATCH_WORDS.done} []"`;
    expect(await file('crawl.py')).toContain(words);
  });

  it('has every package pinned', async () => {
    const lines = (await file('requirements.txt'))
      .split('\n')
      .filter((line) => !/^(#|$)/.test(line));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^[\w.-]+==[\w.]+$/);
  });
});
