import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { compilePool, type CompiledPool } from '../../test/compiled-pool.js';
import { chromiumPath } from '../../../../test/setup/test-servers.js';

/** `nobody`: root's Chromium has no sandbox, so root starts the pool as another user. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const NO_NAMESPACES = ['-U', '--map-user=65534', '--keep-caps', 'sh', '-c'];
const FORBID = 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all "$@"';

interface Outcome {
  readonly sandbox: { readonly isOn: boolean; readonly reason: string } | null;
  /** Of the page's process: 2 is a filter of system calls. Null without page. */
  readonly seccomp: string | null;
  readonly error: { readonly name: string; readonly message: string } | null;
}

const run = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { ...UNPRIVILEGED, encoding: 'utf8', timeout: 100_000 });
const may = (...args: readonly string[]): boolean => run('unshare', ...args).status === 0;

const MAY_NAMESPACE = process.platform === 'linux' && may('-U', 'true');
const MAY_FORBID = MAY_NAMESPACE && may(...NO_NAMESPACES, FORBID, '-', 'true');
/**
 * Namespaces are denied already, or we can deny them. Else there is nothing to try, and the kernel
 * says why.
 */
const IS_DENIABLE = !MAY_NAMESPACE || MAY_FORBID;
const whyNotDenied = (): string =>
  run('unshare', ...NO_NAMESPACES, FORBID, '-', 'true').stderr.toString();
const CANNOT_DENY = /read-only|permission|not permitted/i;

describe('the sandbox, as a user without privileges', () => {
  let compiled: CompiledPool;
  beforeAll(async () => {
    compiled = await compilePool(PROGRAM);
    await chmod(compiled.folder, 0o755);
  });
  afterAll(() => compiled[Symbol.asyncDispose]());

  const outcome = ({ stdout, stderr }: ReturnType<typeof run>): Outcome => {
    if (stdout === '') throw new Error(`The program said nothing: ${stderr}`);
    return JSON.parse(stdout) as Outcome;
  };
  const open = (mode: string): Outcome => outcome(run(process.execPath, compiled.main, mode));
  const openDenied = (mode: string): Outcome =>
    outcome(run('unshare', ...NO_NAMESPACES, FORBID, '-', process.execPath, compiled.main, mode));

  const ON = {
    auto: { sandbox: { isOn: true, reason: 'the machine allows it' }, seccomp: '2', error: null },
    on: { sandbox: { isOn: true, reason: 'required by the setting' }, seccomp: '2', error: null },
  } as const;
  const OFF = {
    sandbox: {
      isOn: false,
      reason: expect.stringMatching(
        /did not start with its sandbox \(.*sandbox.*namespaces/i,
      ) as string,
    },
    seccomp: '0',
    error: null,
  };
  const REFUSED = {
    sandbox: null,
    seccomp: null,
    error: {
      name: 'BrowserUnavailableError',
      message: expect.stringMatching(/does not start: .*sandbox/i) as string,
    },
  };

  it.each(['auto', 'on'] as const)(
    `is on with \`%s\` where the kernel allows user namespaces (here: ${String(MAY_NAMESPACE)})`,
    (mode) => {
      const where = MAY_NAMESPACE ? ON : { auto: OFF, on: REFUSED };
      expect(open(mode)).toEqual(where[mode]);
    },
  );

  it('is off with `auto` where the kernel denies user namespaces, and the reason is reported', () => {
    if (!IS_DENIABLE) return void expect(whyNotDenied()).toMatch(CANNOT_DENY);
    expect(MAY_FORBID ? openDenied('auto') : open('auto')).toEqual(OFF);
  });

  it('refuses with `on` where the kernel denies user namespaces, and says why', () => {
    if (!IS_DENIABLE) return void expect(whyNotDenied()).toMatch(CANNOT_DENY);
    expect(MAY_FORBID ? openDenied('on') : open('on')).toEqual(REFUSED);
  });
});

const PROGRAM = `
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { BrowserPool } from './pool/browser-pool.js';
import { readProcesses, tracesOf, treeOf } from './pool/processes.js';
const proxyPort = { url: 'http://127.0.0.1:9', usage: {}, refusalOf: () => null, close: async () => {} };
const scratchRoot = mkdtempSync(tmpdir() + '/trawl-sandbox-');
let sandbox = null, seccomp = null, error = null;
const pool = new BrowserPool({
  executablePath: ${JSON.stringify(chromiumPath())}, sandbox: process.argv[2], scratchRoot, launchTimeoutMs: 60_000,
  refusingUrl: proxyPort.url, openSession: async () => proxyPort, userAgentSuffix: '',
  events: { onSandbox: (isOn, reason) => (sandbox = { isOn, reason }) },
});
const deadline = { isPassed: false, remainingMs: () => 80_000 };
const work = async ({ page }) => {
  await page.setContent('<p>x');
  const rows = await readProcesses();
  for (const row of rows) {
    const isOurs = row.pid === row.groupId && (await tracesOf(row.pid)).some((one) => one.includes(scratchRoot));
    for (const { pid } of isOurs ? treeOf(row.groupId, rows) : [])
      if ((await tracesOf(pid)).includes('--type=renderer'))
        seccomp = /Seccomp:\\s*(\\d)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))?.[1] ?? null;
  }
};
try {
  await pool.withPage({ country: null, stealth: false, mobile: false, viewport: { width: 800, height: 600 },
    contextKey: null, priority: 'crawl', deadline }, work);
} catch ({ name, message }) {
  error = { name, message };
}
await pool.close();
rmSync(scratchRoot, { recursive: true });
process.stdout.write(JSON.stringify({ sandbox, seccomp, error }));
`;
