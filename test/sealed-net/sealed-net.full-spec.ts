import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { BlockedUrlError, EgressGuard, InvalidUrlError } from '@app/egress';
import { projectNode, projectRoot } from '@app/testing';
import { ScriptedResolver } from '../../libs/egress/test/scripted-resolver.js';
import { loadSsrfCases, type SsrfCase } from '../../libs/egress/test/ssrf-cases.js';

const RUN = path.join(projectRoot(), 'test/sealed-net/run.mjs');
/** What run.mjs ends with where namespaces are forbidden. */
const NOT_PERMITTED = 77;
const RUN_TIMEOUT_MS = 150_000;

const ADVICE =
  'This machine lets this user make no network namespace (`unshare -rnm ip link set lo up` fails), so it is not ' +
  'proven that nothing private can be reached. Install util-linux and iproute2 and run the tests as root, or as a ' +
  'user who may use user namespaces (in Docker: --privileged). Where that cannot be had, set TRAWL_NO_UNSHARE=yes: ' +
  'then the rules of the guard are checked alone, without sockets.';

/**
 * Parts of a browser's protection (see browser-mutants.mjs), and what then leaks; null: a page
 * fails.
 */
const BROWSER_PARTS: readonly (readonly [string, RegExp | null])[] = [
  ['the guard in the proxy', /^tcp 127/],
  ['loopback through the proxy', /^tcp 127/],
  ['the proxy itself', /^tcp 10\.0\.0\.5/],
  ['a proxy port for each context', null],
  ['no datagrams past the proxy', /^udp 10\.0\.0\.5 3478/],
  ['no names of its own, where datagrams pass', /^dns secret\.internal/],
];

const isPermitted = spawnSync(projectNode(), [RUN, '--check']).status !== NOT_PERMITTED;
const isExcused = process.env.TRAWL_NO_UNSHARE === 'yes';

if (isPermitted || !isExcused) describe('in a network without outside', inSealedNetwork);
else
  describe('without a sealed network, as TRAWL_NO_UNSHARE=yes allows, the guard alone', guardAlone);

function inSealedNetwork(): void {
  it.each([
    { what: 'the fetching client', args: [], leastCases: 211 },
    { what: 'the whole service', args: ['--service'], leastCases: 224 },
    { what: 'a real Chromium', args: ['--browser'], leastCases: 65 },
  ])('$what reaches everything it may and nothing it must not', async ({ args, leastCases }) => {
    if (!isPermitted) throw new Error(ADVICE);
    const { summary, complaints, code } = await run(args);
    expect({ ...summary, complaints, code }).toEqual({
      cases: summary.cases,
      ownCases: summary.ownCases,
      passed: summary.cases + summary.ownCases,
      failed: [],
      canaryHits: 0,
      notCovered: summary.notCovered,
      notes: summary.notes,
      complaints: '',
      code: 0,
    });
    expect(summary.cases).toBeGreaterThanOrEqual(leastCases);
    expect(summary.cases + summary.notCovered).toBe(loadSsrfCases().length);
  });

  it.each(BROWSER_PARTS)('a Chromium without %s is found out', async (part, leak) => {
    if (!isPermitted) throw new Error(ADVICE);
    const { summary, code } = await run(['--browser', '--without', part]);
    expect(code).toBe(1);
    if (leak === null) expect(summary.failed).not.toEqual([]);
    else expect(summary.hits).toContainEqual(expect.stringMatching(leak));
  });

  it('every case of the list is covered, or the reason is given', () => {
    const listed = loadSsrfCases().map(({ id }) => id);
    const named = spawnSync(projectNode(), [path.join(path.dirname(RUN), 'coverage.mjs')], {
      encoding: 'utf8',
    });
    const { covered, notCovered } = JSON.parse(named.stdout) as Coverage;
    expect([...covered, ...Object.keys(notCovered)].toSorted()).toEqual(listed.toSorted());
  });
}

interface Coverage {
  readonly covered: readonly string[];
  readonly notCovered: Readonly<Record<string, string>>;
}

/** What run.mjs prints. */
interface Summary {
  /** Of the list. */
  readonly cases: number;
  /** Beside it. */
  readonly ownCases: number;
  readonly passed: number;
  readonly failed: readonly unknown[];
  readonly canaryHits: number;
  readonly hits?: readonly string[];
  readonly notCovered: number;
  readonly notes: readonly unknown[];
}

interface Run {
  readonly summary: Summary;
  readonly complaints: string;
  readonly code: number | null;
}

function run(args: readonly string[]): Promise<Run> {
  const child = spawn(projectNode(), [RUN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const line = printed.trim().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve({ summary: JSON.parse(line) as Summary, complaints, code });
      else reject(new Error(`no summary, exit code ${code}: ${complaints}`));
    });
  });
}

function guardAlone(): void {
  const direct = loadSsrfCases().filter(({ surface }) => surface === undefined);
  const refused = direct.filter(({ expect }) => expect === 'block');
  const open = direct.filter(({ expect, optional }) => expect === 'allow' && optional !== true);
  const redirects = loadSsrfCases().filter(
    ({ surface, expect }) => surface === 'redirect' && expect === 'block',
  );
  const row = (one: SsrfCase) => [one.id, one.why, one] as const;

  beforeAll(() => void process.stderr.write(`${ADVICE}\n`));

  it.each(refused.map(row))('%s refuses %s', async (_id, _why, one) => {
    const verdicts = [];
    // A name may answer otherwise the second time.
    const guard = new EgressGuard({ resolver: new ScriptedResolver(one.dns ?? {}) });
    for (let turn = 0; turn < 2; turn++) verdicts.push(await judge(guard, one.url));
    const wanted = one.spec === 'invalid' ? ['refused', 'invalid'] : ['refused'];
    expect(wanted).toContain(verdicts.at(-1));
  });

  it.each(redirects.map(row))('%s refuses %s', async (_id, _why, one) => {
    const rebinding = { 'rebind.example': [['127.0.0.1']] };
    const guard = new EgressGuard({ resolver: new ScriptedResolver({ ...one.dns, ...rebinding }) });
    const base = new URL('http://site.example/r');
    expect(await judge(guard, one.response?.location ?? '', base)).toBe('refused');
  });

  it.each(open.map(row))('%s lets through %s', async (_id, _why, one) => {
    const guard = new EgressGuard({ resolver: new ScriptedResolver(one.dns ?? {}) });
    expect(await judge(guard, one.url)).toBe('open');
  });
}

async function judge(guard: EgressGuard, text: string, base?: URL): Promise<string> {
  try {
    await guard.vet(guard.parse(text, base));
    return 'open';
  } catch (error) {
    if (error instanceof BlockedUrlError) return 'refused';
    if (error instanceof InvalidUrlError) return 'invalid';
    return String(error);
  }
}
