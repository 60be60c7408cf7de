import { execFile } from 'node:child_process';
import path from 'node:path';
import { SETTINGS } from '@app/config';
import { welcomeText } from '../apps/standalone/src/welcome.js';

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs scripts/start.mjs as npm does; nothing is installed, built or started. */
function start(...args: readonly string[]): Promise<Ended> {
  const script = path.join(__dirname, '../scripts/start.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });
}

describe('npm start', () => {
  it.each(['--help', '-h'])('explains itself with %s', async (flag) => {
    const { code, output } = await start('standalone', flag);
    expect(code).toBe(0);
    expect(output).toMatch(/^Usage: npm start\n/);
    expect(output).toMatch(/npm run doctor/);
    expect(output).toMatch(/README\.md/);
    expect(output).toMatch(/\/dashboard/);
  });

  it('names only settings that there are', async () => {
    const { output } = await start('standalone', '--help');
    const named = [...output.matchAll(/^ {2}([A-Z_]+) {2,}/gm)].map(([, name]) => name);
    const known = Object.values(SETTINGS).map(({ env }) => env);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.includes(String(name)))).toEqual([]);
  });

  it.each([
    ['standalone', '--prot=8080'],
    ['api', '--doctor'],
  ])('refuses what %s does not take: %s', async (app, flag) => {
    const { code, output } = await start(app, flag);
    expect(code).toBe(1);
    expect(output).toContain(`unknown argument: ${flag}`);
    expect(output).toContain('--help');
  });
});

describe('the text of a start', () => {
  const text = welcomeText({
    url: 'http://127.0.0.1:3000',
    firstKey: null,
    keyFile: '/data/dev-key',
    exampleUrl: 'https://example.com/',
    rendering: '',
    signInLink: null,
  });

  it('names address, key, account page and three commands', () => {
    expect(text).toContain('ready at http://127.0.0.1:3000');
    expect(text).toContain('/data/dev-key');
    expect(text).toContain('http://127.0.0.1:3000/dashboard');
    expect(text.split('\n').filter((line) => /^(JOB=\$\()?curl /.test(line))).toHaveLength(3);
  });
});
