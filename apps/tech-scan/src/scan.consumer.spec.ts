import { gzipSync } from 'node:zlib';
import {
  BlobKeyError,
  BlobNotFoundError,
  BlobTooLargeError,
  BlobUnavailableError,
} from '@app/blobs';
import { DropTask, RetryTask, type Delivery } from '@app/broker';
import type { ScanReply, TechReason } from '@app/tech';
import { createLogger, Metrics } from '@app/telemetry';
import { until } from '@app/testing';
import { TurnLine } from '@app/turns';
import { MAX_INPUT_BYTES } from './scan-input.js';
import type { ScanEnding } from './scan-pool.js';
import { scanHandler, TenantCooldown } from './scan.consumer.js';

const FOUND: ScanEnding = {
  kind: 'scanned',
  outcome: {
    technologies: [{ name: 'Plainpress', category: 'CMS', confidence: 1 }],
    reasons: [],
    scannedBytes: 48,
  },
  durationMs: 7.4,
};
const partly = (...reasons: TechReason[]): ScanEnding => ({
  kind: 'scanned',
  outcome: { ...FOUND.outcome, reasons },
  durationMs: 1,
});
const TERMINATED: ScanEnding = { kind: 'terminated', durationMs: 3_000.4 };
const lost = (cause: 'memory' | 'crash' | 'error'): ScanEnding => ({
  kind: 'failed',
  cause,
  problem: 'it broke',
  durationMs: 12,
});

/** A thread with endings that the test chooses, in order; the last one repeats. */
class Threads {
  endings: (ScanEnding | Promise<ScanEnding>)[] = [FOUND];
  readonly bodies: string[] = [];
  isWhole: Promise<void> = Promise.resolve();

  async run(body: Uint8Array): Promise<ScanEnding> {
    this.bodies.push(Buffer.from(body).toString());
    const [next] = this.endings.length > 1 ? this.endings.splice(0, 1) : this.endings;
    return next ?? FOUND;
  }

  whole(): Promise<void> {
    return this.isWhole;
  }
}

describe('the scan handler', () => {
  let nowMs: number;
  let threads: Threads;
  let turns: TurnLine;
  let metrics: Metrics;
  let read: (key: string) => Promise<Buffer>;
  let handle: (delivery: Delivery) => Promise<ScanReply>;
  beforeEach(() => {
    nowMs = 0;
    threads = new Threads();
    turns = new TurnLine({ total: 2, perTenant: 1 });
    metrics = new Metrics();
    read = (key) => Promise.resolve(gzipSync(`stored ${key}`));
    handle = scanHandler({
      blobs: { read: (key) => read(key) },
      turns,
      pool: threads,
      cooldown: new TenantCooldown({ cooldownMs: 600_000, now: () => nowMs }),
      metrics,
      log: createLogger({ level: 'silent', component: 'test' }),
    });
  });
  afterEach(() => turns.close());

  const task = (over: object = {}) => ({
    requestId: 'r',
    tenantId: 't',
    inputKey: 'scans/1',
    deadlineAtMs: Date.now() + 20_000,
    ...over,
  });
  const scan = (over: object = {}, signal = new AbortController().signal): Promise<ScanReply> =>
    handle({
      task: task(over),
      redelivered: false,
      publishedAtMs: 0,
      owner: null,
      traceparent: null,
      signal,
    });
  const empty = (reason: TechReason, durationMs = 0): ScanReply => ({
    technologies: [],
    reasons: [reason],
    scannedBytes: 0,
    durationMs,
  });
  async function counts(): Promise<readonly string[]> {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines
      .filter((line) => /^trawl_techscan_(?:scans|worker)[^#]* [1-9]/.test(line))
      .map((line) => line.replace(/^trawl_techscan_|_total/g, ''));
  }

  it('unpacks a stored page up to its bound; what is not packed is an error', async () => {
    read = () => Promise.resolve(gzipSync(Buffer.alloc(MAX_INPUT_BYTES)));
    expect(await scan()).toMatchObject({ technologies: FOUND.outcome.technologies });
    expect(threads.bodies.map(({ length }) => length)).toEqual([MAX_INPUT_BYTES]);
    for (const stored of [gzipSync(Buffer.alloc(MAX_INPUT_BYTES + 1)), Buffer.from('{}')]) {
      read = () => Promise.resolve(stored);
      expect(await scan()).toEqual(empty('worker_error'));
    }
    expect(threads.bodies).toHaveLength(1);
  });

  it('passes the stored page to a thread, and returns its results', async () => {
    expect(await scan()).toEqual({
      technologies: [{ name: 'Plainpress', category: 'CMS', confidence: 1 }],
      reasons: [],
      scannedBytes: 48,
      durationMs: 7,
    });
    expect(threads.bodies).toEqual(['stored scans/1']);
    expect(await counts()).toEqual(['scans{outcome="complete"} 1']);
  });

  it.each<[ScanEnding, ScanReply, readonly string[]]>([
    [
      TERMINATED,
      empty('worker_terminated', 3_000),
      ['scans{outcome="worker_terminated"} 1', 'worker_terminations{reason="timeout"} 1'],
    ],
    [
      lost('memory'),
      empty('worker_error', 12),
      ['scans{outcome="worker_error"} 1', 'worker_terminations{reason="memory"} 1'],
    ],
    [
      lost('crash'),
      empty('worker_error', 12),
      ['scans{outcome="worker_error"} 1', 'worker_terminations{reason="crash"} 1'],
    ],
    [lost('error'), empty('worker_error', 12), ['scans{outcome="worker_error"} 1']],
    [{ kind: 'late' }, empty('queue_timeout'), ['scans{outcome="queue_timeout"} 1']],
    [
      partly('html_cap', 'value_cap'),
      { ...FOUND.outcome, reasons: ['html_cap', 'value_cap'], durationMs: 1 },
      ['scans{outcome="partial"} 1'],
    ],
  ])('%j', async (ending, reply, counted) => {
    threads.endings = [ending];
    expect(await scan()).toEqual(reply);
    expect(await counts()).toEqual(counted);
  });

  it.each([
    ['nothing', null],
    ['a word', 'scan'],
    ['no tenant', task({ tenantId: undefined })],
    ['an empty key', task({ inputKey: '' })],
    ['no deadline', task({ deadlineAtMs: 'soon' })],
  ])('drops a malformed task: %s', async (_what, nonsense) => {
    const { signal } = new AbortController();
    const handled = handle({
      task: nonsense,
      redelivered: false,
      publishedAtMs: 0,
      owner: null,
      traceparent: null,
      signal,
    });
    await expect(handled).rejects.toBeInstanceOf(DropTask);
  });

  it.each([
    ['is gone', new BlobNotFoundError('none'), 'worker_error'],
    ['is too large', new BlobTooLargeError('large'), 'worker_error'],
  ])('replies when the stored page %s', async (_what, error, reason) => {
    read = () => Promise.reject(error);
    expect((await scan()).reasons).toEqual([reason]);
    read = () => Promise.resolve(gzipSync('x'));
    expect((await scan()).reasons).toEqual([]);
  });

  it.each([
    ['retries when storage is unavailable', new BlobUnavailableError('away'), RetryTask],
    ['drops it when its key is invalid', new BlobKeyError('bad'), DropTask],
  ])('%s', async (_what, error, verdict) => {
    read = () => Promise.reject(error);
    await expect(scan()).rejects.toBeInstanceOf(verdict);
    read = () => Promise.resolve(gzipSync('x'));
    expect((await scan()).reasons).toEqual([]);
  });

  it('is a queue_timeout when no thread is free in time, or none is left', async () => {
    const hung = Promise.withResolvers<ScanEnding>();
    threads.endings = [hung.promise, FOUND];
    const first = scan();
    expect(await scan({ deadlineAtMs: Date.now() + 130 })).toEqual(empty('queue_timeout'));
    expect(await scan({ deadlineAtMs: Date.now() - 1 })).toEqual(empty('queue_timeout'));
    expect((await scan({ tenantId: 'other' })).reasons).toEqual([]);
    hung.resolve(FOUND);
    expect((await first).reasons).toEqual([]);
    expect((await scan()).reasons).toEqual([]);
  });

  it('replies at the deadline before its thread does, and keeps the turn until it does', async () => {
    const slow = Promise.withResolvers<ScanEnding>();
    threads.endings = [slow.promise, FOUND];
    const reply = await scan({ deadlineAtMs: Date.now() + 1_000 });
    expect(reply).toMatchObject({ technologies: [], reasons: ['time_budget'] });
    let isNextDone = false;
    const next = scan().then(() => (isNextDone = true));
    await until(() => turns.waiting === 1);
    expect(isNextDone).toBe(false);
    slow.resolve(TERMINATED);
    await next;
    expect(await counts()).toContain('worker_terminations{reason="timeout"} 1');
  });

  it('keeps the turn of a lost thread until it is replaced', async () => {
    const whole = Promise.withResolvers<void>();
    threads.isWhole = whole.promise;
    threads.endings = [TERMINATED, FOUND];
    expect((await scan()).reasons).toEqual(['worker_terminated']);
    const next = scan();
    await until(() => turns.waiting === 1);
    whole.resolve();
    expect((await next).reasons).toEqual([]);
  });

  it.each([
    ['hit the hard limit', TERMINATED],
    ['exhausted its memory', lost('memory')],
  ])('skips the tenant whose scans %s five times in ten minutes', async (_what, ending) => {
    threads.endings = [ending];
    for (let n = 0; n < 4; n++) await scan();
    expect((await scan()).reasons).not.toEqual(['tenant_cooldown']);
    threads.endings = [FOUND];
    expect(await scan()).toEqual(empty('tenant_cooldown'));
    expect((await scan({ tenantId: 'other' })).reasons).toEqual([]);
    expect(threads.bodies).toHaveLength(6);
    nowMs = 599_999;
    expect((await scan()).reasons).toEqual(['tenant_cooldown']);
    nowMs = 600_000;
    expect((await scan()).reasons).toEqual([]);
    expect(await counts()).toContain('scans{outcome="tenant_cooldown"} 2');
  });

  it('skips no tenant for scans that fail otherwise', async () => {
    threads.endings = [lost('crash')];
    for (let n = 0; n < 6; n++) expect((await scan()).reasons).toEqual(['worker_error']);
  });

  it('skips at once the scans that waited when the cool-down started', async () => {
    const fifth = Promise.withResolvers<ScanEnding>();
    threads.endings = [TERMINATED, TERMINATED, TERMINATED, TERMINATED, fifth.promise];
    for (let n = 0; n < 4; n++) await scan();
    const last = scan();
    const waiting = [scan(), scan(), scan()];
    await until(() => turns.waiting === 3);
    fifth.resolve(TERMINATED);
    expect((await last).reasons).toEqual(['worker_terminated']);
    for (const reply of await Promise.all(waiting)) expect(reply).toEqual(empty('tenant_cooldown'));
    expect(threads.bodies).toHaveLength(5);
  });

  it('requeues waiting scans when it stops, and finishes running ones', async () => {
    const slow = Promise.withResolvers<ScanEnding>();
    threads.endings = [slow.promise];
    const running = scan();
    await until(() => threads.bodies.length === 1);
    const waiting = scan();
    turns.close();
    await expect(waiting).rejects.toMatchObject({ name: 'RetryTask', delayMs: 0 });
    await expect(scan({ tenantId: 'other' })).rejects.toBeInstanceOf(RetryTask);
    slow.resolve(FOUND);
    expect((await running).reasons).toEqual([]);
  });

  it('sends no reply when the task was requeued meanwhile', async () => {
    const given = new AbortController();
    const slow = Promise.withResolvers<ScanEnding>();
    threads.endings = [slow.promise];
    const running = scan({}, given.signal);
    await until(() => threads.bodies.length === 1);
    given.abort(new Error('given back'));
    slow.resolve(FOUND);
    await expect(running).rejects.toThrow('given back');
    expect(await counts()).toEqual([]);
  });
});
