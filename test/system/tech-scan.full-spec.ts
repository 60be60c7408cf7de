import { tmpdir } from 'node:os';
import { RequestTimeoutError } from '@app/broker';
import type { ScanInput, ScanReply, TechReason } from '@app/tech';
import { spawnApp, until } from '@app/testing';
import { MODES } from './deployment.js';
import { quantile } from './quantile.js';
import {
  CONFIGURED_BUDGET_MS,
  endlessValue,
  FOUND,
  HARD_MS,
  openScanFixture,
  PLAINPRESS_PAGE,
  type ScanFixture,
} from './tech-scan-run.js';

const KB = 1_024;
const MIB = 1_024 * KB;
const ENDLESS = { headers: { 'x-endless': [endlessValue()] } };
/** Compiling the fingerprints is all that a first scan, or a thread's replacement, waits for. */
const START_MS = 30_000;

const many = (count: number, one: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => one(n)).join('');
const record = <T>(count: number, value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, value]));
/** A page of exactly so many bytes. */
const sized = (bytes: number): string =>
  PLAINPRESS_PAGE + 'x'.repeat(bytes - PLAINPRESS_PAGE.length);
const script = (chars: number): string => `<script>${'x'.repeat(chars)}</script>`;

/** By reason: what may just be, and what is one more. */
type Edge = readonly [string, TechReason, (over: 0 | 1) => Partial<ScanInput>];
const EDGES: readonly Edge[] = [
  ['bytes of a page', 'html_cap', (over) => ({ html: sized(512 * KB + over) })],
  ['bytes of tags', 'tag_scan_cap', (over) => ({ html: sized(4 * MIB + over) })],
  ['of a header', 'value_cap', (over) => ({ headers: { 'x-a': ['x'.repeat(2_000 + over)] } })],
  ['of a cookie', 'value_cap', (over) => ({ cookies: { a: 'x'.repeat(2_000 + over) } })],
  [
    'of the address',
    'value_cap',
    (over) => ({ url: 'https://a.example/'.padEnd(2_000 + over, 'x') }),
  ],
  [
    'of a meta tag',
    'value_cap',
    (over) => ({ html: `${PLAINPRESS_PAGE}<meta name="a" content="${'x'.repeat(2_000 + over)}">` }),
  ],
  [
    'of a script address',
    'value_cap',
    (over) => ({ html: `${PLAINPRESS_PAGE}<script src="${'x'.repeat(2_000 + over)}"></script>` }),
  ],
  ['of a request', 'value_cap', (over) => ({ requests: ['x'.repeat(2_000 + over)] })],
  ['headers', 'item_cap', (over) => ({ headers: record(500 + over, ['1']) })],
  ['cookies', 'item_cap', (over) => ({ cookies: record(500 + over, '1') })],
  ['variables', 'item_cap', (over) => ({ globals: record(500 + over, '1') })],
  [
    'scripts',
    'item_cap',
    (over) => ({
      html: PLAINPRESS_PAGE + many(500 + over, (n) => `<script src="/${n}.js"></script>`),
    }),
  ],
  [
    'meta tags',
    'item_cap',
    (over) => ({
      html: PLAINPRESS_PAGE + many(499 + over, (n) => `<meta name="m${n}" content="1">`),
    }),
  ],
  [
    'tags of one kind',
    'item_cap',
    (over) => ({ html: PLAINPRESS_PAGE + '<link rel="a">'.repeat(2_000 + over) }),
  ],
  [
    'of a block of script',
    'inline_script_cap',
    (over) => ({ html: PLAINPRESS_PAGE + script(64 * KB + over) }),
  ],
  [
    'of all script',
    'inline_script_cap',
    (over) => ({
      html: PLAINPRESS_PAGE + script(64 * KB).repeat(7) + script(64 * KB - 1) + script(1 + over),
    }),
  ],
];

const OF_TIME: ReadonlySet<string> = new Set(['time_budget', 'worker_terminated', 'queue_timeout']);
const MAX_TRIES = 20;

/** For what is no matter of time: a machine that had none to give, and found nothing in it, is asked again. */
async function withTime(scan: () => Promise<ScanReply>): Promise<ScanReply> {
  for (let tries = 1; ; tries++) {
    const reply = await scan();
    const isLate = reply.technologies.length === 0 && reply.reasons.some((one) => OF_TIME.has(one));
    if (!isLate || tries === MAX_TRIES) return reply;
  }
}

describe.each(MODES)('the technology scanner (%s)', (mode) => {
  let fixture: ScanFixture;
  beforeAll(async () => {
    fixture = await openScanFixture(mode);
    await fixture.scan({}, { deadlineMs: START_MS });
  });
  afterAll(() => fixture?.close());

  /** The next scan finds a thread that is there. */
  const whole = (tenantId: string): Promise<ScanReply> =>
    withTime(() => fixture.scan({}, { tenantId, deadlineMs: START_MS }));

  it('reports the technologies of a page, the same every time', async () => {
    const scan = () => withTime(() => fixture.scan());
    const replies = [await scan(), await scan(), await scan()];
    for (const reply of replies) {
      expect(reply).toEqual({
        technologies: [FOUND],
        reasons: [],
        scannedBytes: PLAINPRESS_PAGE.length,
        durationMs: expect.any(Number),
      });
    }
  });

  it.each(EDGES)('%s: %s from one more than the cap on', async (_what, reason, inputOf) => {
    // Its own budget is another test's: a busy machine may spend it on 4 MB.
    const reasonsOf = ({ reasons }: ScanReply) => reasons.filter((one) => one !== 'time_budget');
    expect(reasonsOf(await fixture.scan(inputOf(0)))).not.toContain(reason);
    const over = await withTime(() => fixture.scan(inputOf(1)));
    expect(reasonsOf(over)).toContain(reason);
    expect(over.technologies).toContainEqual(FOUND);
  });

  it('time_budget: untried fingerprints are reported at the budget, long before the hard limit', async () => {
    const scanOf = (n: number) => fixture.scan({ headers: { 'x-slow': [endlessValue(n)] } });
    let reply = await scanOf(2);
    await until(async () => (reply = await scanOf(2)).reasons.length === 0, { timeoutMs: 20_000 });
    for (let n = 8; reply.reasons.length === 0 && n < 60; n++) {
      reply = await scanOf(n);
    }
    expect(reply.reasons).toEqual(['time_budget']);
    expect(reply.durationMs).toBeGreaterThanOrEqual(CONFIGURED_BUDGET_MS - 60);
    expect(reply.durationMs).toBeLessThan(HARD_MS);
  });

  it('worker_terminated: a pattern without end costs its thread, and the next is scanned', async () => {
    const reply = await fixture.scan(ENDLESS, { tenantId: 'ended' });
    expect(reply).toMatchObject({ technologies: [], reasons: ['worker_terminated'] });
    expect(reply.durationMs).toBeGreaterThanOrEqual(HARD_MS - 1);
    expect((await whole('another')).technologies).toEqual([FOUND]);
    expect((await whole('ended')).technologies).toEqual([FOUND]);
    expect(await fixture.metrics('trawl_techscan_worker_terminations_total')).toContainEqual(
      expect.stringMatching(/timeout"\} [1-9]/),
    );
  });

  it('queue_timeout: no thread was free for the tenant in time, while others are served', async () => {
    await Promise.all([whole('a'), whole('b')]);
    const hung = [1, 2].map(() => fixture.scan(ENDLESS, { tenantId: 'queuing' }));
    await until(async () => (await waiting()) === 1);
    const late = fixture.scan({}, { tenantId: 'queuing', deadlineMs: HARD_MS / 2 });
    const other = await withTime(() => fixture.scan({}, { tenantId: 'patient' }));
    expect(other.technologies).toEqual([FOUND]);
    expect(await late).toMatchObject({ technologies: [], reasons: ['queue_timeout'] });
    for (const { reasons } of await Promise.all(hung))
      expect(reasons).toEqual(['worker_terminated']);
  });

  it.each([
    ['no gzip', Uint8Array.of(1, 2, 3)],
    ['nothing', new Uint8Array()],
  ])('worker_error: the stored page is %s', async (_what, stored) => {
    expect(await fixture.scan({}, { stored })).toMatchObject({
      technologies: [],
      reasons: ['worker_error'],
    });
  });

  it('tenant_cooldown: not after four that hit the hard limit, but after five; others are scanned', async () => {
    const tenantId = 'attacker';
    for (let n = 0; n < 4; n++) {
      const { reasons } = await fixture.scan(ENDLESS, { tenantId, deadlineMs: START_MS });
      expect(reasons).toEqual(['worker_terminated']);
    }
    expect((await whole(tenantId)).technologies).toEqual([FOUND]);
    await fixture.scan(ENDLESS, { tenantId, deadlineMs: START_MS });
    const startedAt = performance.now();
    for (const input of [{}, ENDLESS, {}]) {
      expect(await fixture.scan(input, { tenantId })).toEqual({
        technologies: [],
        reasons: ['tenant_cooldown'],
        scannedBytes: 0,
        durationMs: 0,
      });
    }
    expect(performance.now() - startedAt).toBeLessThan(HARD_MS);
    expect((await whole('bystander')).technologies).toEqual([FOUND]);
  });

  it('an attack by one tenant leaves another its thread, and memory as it was', async () => {
    await Promise.all([whole('a'), whole('b')]);
    const before = await latencies(60);
    const memory = await fixture.residentBytes();
    const during = await whileAttacked('flood', () => latencies(60));
    // A share of the processor is all it can take; what a thread is held for is a hundred times that.
    expect(quantile(during, 0.5) / quantile(before, 0.5)).toBeLessThan(3);
    expect(quantile(during, 0.95)).toBeLessThan(HARD_MS / 2);
    await whole('a');
    expect((await fixture.residentBytes()) - memory).toBeLessThan(200 * MIB);
  });

  /** Eight pages of the tenant at a time that would each hold a thread for ever. */
  async function whileAttacked<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const attacks = Array.from({ length: 8 }, async () => {
      while (!isOver) await fixture.scan(ENDLESS, { tenantId });
    });
    try {
      await until(async () => (await waiting()) > 0);
      return await work();
    } finally {
      isOver = true;
      await Promise.all(attacks);
    }
  }

  /** Scans that wait for a thread. */
  async function waiting(): Promise<number> {
    const [line = ''] = await fixture.metrics('trawl_techscan_pending');
    return Number(line.split(' ')[1]);
  }

  async function latencies(count: number): Promise<readonly number[]> {
    const took: number[] = [];
    for (let n = 0; n < count; n++) {
      const startedAt = performance.now();
      const { technologies } = await withTime(() => fixture.scan({}, { tenantId: 'honest' }));
      expect(technologies).toEqual([FOUND]);
      took.push(performance.now() - startedAt);
    }
    return took;
  }

  it('counts its scans and its fingerprints', async () => {
    const counted = await fixture.metrics('trawl_techscan_');
    for (const outcome of ['complete', 'partial', 'worker_terminated', 'tenant_cooldown'])
      expect(counted).toContainEqual(expect.stringMatching(`scans_total\\{.*${outcome}"\\} [1-9]`));
    const [loaded = ''] = await fixture.metrics('trawl_techscan_fingerprints_loaded');
    expect(Number(loaded.split(' ')[1])).toBeGreaterThan(40);
  });

  it('stops at once though a page holds a thread and others wait, and its callers time out', async () => {
    const both = Promise.allSettled(
      [1, 2].map(() => fixture.scan(ENDLESS, { tenantId: 'last', deadlineMs: 4_000 })),
    );
    await until(async () => (await waiting()) === 1);
    const startedAt = performance.now();
    await fixture.scanner.process.stop('SIGTERM');
    expect(performance.now() - startedAt).toBeLessThan(HARD_MS + 8_000);
    const ends = (await both).map((end) =>
      end.status === 'fulfilled' ? end.value.reasons[0] : (end.reason as Error).name,
    );
    // What waited went back to the queue, where it would have been another scanner's.
    expect(ends.sort()).toEqual(['RequestTimeoutError', 'worker_terminated']);
    await expect(fixture.scan({}, { deadlineMs: 300 })).rejects.toBeInstanceOf(RequestTimeoutError);
  });
});

describe('a scanner whose fingerprints cannot be read', () => {
  it('does not start, and names the setting', async () => {
    const env = {
      TECH_FINGERPRINTS_PATH: '/no/such.json',
      STORAGE_URL: `file:${tmpdir()}/none`,
      BROKER_URL: 'memory:',
    };
    await expect(spawnApp({ app: 'tech-scan', env })).rejects.toThrow(
      /TECH_FINGERPRINTS_PATH: \S+no\/such\.json\S+ cannot be used/,
    );
  });
});
