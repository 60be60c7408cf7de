import { BlobUnavailableError } from '@app/blobs';
import { openTaskQueue, type TaskHandler, type TaskQueue } from '@app/broker';
import { Deadline } from '@app/contracts';
import type { ScanReply, ScanTask, Technology } from '@app/tech';
import { createLogger } from '@app/telemetry';
import { until } from '@app/testing';
import { RequestScans, type ScanPorts, type ScanTerms } from './request-scans.js';

const INPUT = new Uint8Array([1]);
const PAGES = ['a', 'b', 'c', 'd', 'e'];

const found = (name: string, over: Partial<Technology> = {}): Technology => ({
  name,
  category: 'CMS',
  confidence: 1,
  ...over,
});

const reply = (over: Partial<ScanReply> = {}): ScanReply => ({
  technologies: [],
  reasons: [],
  scannedBytes: 10,
  durationMs: 2,
  ...over,
});

describe('the scans of a request', () => {
  let queue: TaskQueue;
  let stored: Map<string, Uint8Array>;
  let tasks: ScanTask[];
  let abort: AbortController;

  beforeEach(() => {
    queue = openTaskQueue({ url: 'memory:' });
    stored = new Map();
    tasks = [];
    abort = new AbortController();
  });
  afterEach(() => queue.close());

  const ports = (over: Partial<ScanPorts> = {}): ScanPorts => ({
    queue,
    blobs: {
      put: async (key, body) => {
        stored.set(key, body as Uint8Array);
        return { bytes: 1 };
      },
      delete: async (key) => void stored.delete(key),
    },
    log: createLogger({ component: 'spec', level: 'silent' }),
    requestBudgetMs: 60_000,
    maxWaitMs: 60_000,
    ...over,
  });
  const scans = (over: Partial<ScanPorts> = {}, terms: Partial<ScanTerms> = {}): RequestScans =>
    new RequestScans(ports(over), {
      requestId: 'r',
      tenantId: 't',
      plan: 'free',
      deadline: Deadline.after(60_000),
      signal: abort.signal,
      ...terms,
    });
  /** Acts as the scanner; each answer is for one task, in order, and the last one for all later tasks. */
  const scanner = async (...answers: (() => unknown)[]): Promise<void> => {
    const handler: TaskHandler = async ({ task }) => {
      tasks.push(task as ScanTask);
      return (answers[tasks.length - 1] ?? answers.at(-1))?.();
    };
    await queue.consume('tech-scan', { concurrency: 10, handler });
  };
  const nothingIsLeft = () => until(() => stored.size === 0, { what: 'no input is left' });

  it('are joined over pages, each once, in the order of the pages', async () => {
    await scanner(
      () => reply({ technologies: [found('B'), found('A', { version: '2', confidence: 0.5 })] }),
      () => reply({ technologies: [found('A', { version: '1' })], reasons: ['html_cap'] }),
      () => reply({ reasons: ['item_cap', 'html_cap', 'time_budget'] }),
    );
    const request = scans();
    for (const name of ['c', 'a', 'b', 'a']) request.add(name, INPUT);
    expect(await request.report(['a', 'b', 'c', 'missing'])).toEqual({
      technologies: [found('A', { version: '1' }), found('B')],
      reasons: ['time_budget', 'html_cap', 'item_cap'],
      scannedBytes: 30,
      durationMs: 6,
    });
    await nothingIsLeft();
  });

  it('are sent one at a time, each with an input of its own', async () => {
    let [running, most] = [0, 0];
    await scanner(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return reply();
    });
    const request = scans();
    for (const name of PAGES.slice(0, 3)) request.add(name, INPUT);
    await request.report(PAGES);
    expect(most).toBe(1);
    const keys = tasks.map(({ inputKey }) => inputKey);
    expect(new Set(keys).size).toBe(3);
    expect(keys.every((key) => /^scans\/t\/[0-9a-f-]{36}\.scan$/.test(key))).toBe(true);
  });

  it('without a page are an empty report', async () => {
    expect(await scans().report(PAGES)).toEqual({
      technologies: [],
      reasons: [],
      scannedBytes: 0,
      durationMs: 0,
    });
  });

  it('name the sources of a deep scan, in order', async () => {
    await scanner(() => reply());
    const request = scans();
    request.note({ reasons: ['request_cap'], sources: ['network', 'html'] });
    request.add(PAGES[0] ?? '', INPUT);
    expect(await request.report(PAGES)).toMatchObject({
      sources: ['html', 'network'],
      reasons: ['request_cap'],
    });
  });

  describe('without a reply', () => {
    it('are one wait and a reason, however many pages there are', async () => {
      let waits = 0;
      const counting: ScanPorts['queue'] = {
        request: (...asked) => {
          waits++;
          return queue.request(...asked);
        },
      };
      const request = scans({ queue: counting, maxWaitMs: 100 });
      for (const name of PAGES.slice(0, 5)) request.add(name, INPUT);
      expect((await request.report(PAGES)).reasons).toEqual(['queue_timeout']);
      expect(waits).toBe(1);
      await nothingIsLeft();
    });

    it('are the same with a queue that is full', async () => {
      await queue.close();
      queue = openTaskQueue({ url: 'memory:', maxLengths: { 'tech-scan': 0 } });
      const request = scans();
      request.add(PAGES[0] ?? '', INPUT);
      expect((await request.report(PAGES)).reasons).toEqual(['queue_timeout']);
      await nothingIsLeft();
    });

    it('keep earlier results', async () => {
      await scanner(
        () => reply({ technologies: [found('A')] }),
        () => new Promise(() => undefined),
      );
      const request = scans({ maxWaitMs: 3_000 });
      for (const name of PAGES.slice(0, 3)) request.add(name, INPUT);
      expect(await request.report(PAGES)).toMatchObject({
        technologies: [found('A')],
        reasons: ['queue_timeout'],
      });
      expect(tasks.length).toBe(2);
    });
  });

  it.each<[string, () => unknown]>([
    ['fails', () => Promise.reject(new Error('no'))],
    ['answers what is no reply', () => ({ kind: 'unavailable' })],
    ['answers nothing', () => null],
  ])('that a scanner %s are a reason, and the others go on', async (_what, answer) => {
    let isFirst: string | null = null;
    await queue.consume('tech-scan', {
      concurrency: 1,
      handler: async ({ task }) => {
        isFirst ??= (task as ScanTask).inputKey;
        return (task as ScanTask).inputKey === isFirst ? answer() : reply();
      },
    });
    const request = scans();
    request.add(PAGES[0] ?? '', INPUT);
    request.add(PAGES[1] ?? '', INPUT);
    expect(await request.report(PAGES)).toMatchObject({
      reasons: ['worker_error'],
      scannedBytes: 10,
    });
    await nothingIsLeft();
  });

  it('that cannot be stored have a reason', async () => {
    await scanner(() => reply());
    const blobs = {
      put: () => Promise.reject(new BlobUnavailableError('away')),
      delete: async () => undefined,
    };
    const request = scans({ blobs });
    request.add(PAGES[0] ?? '', INPUT);
    expect((await request.report(PAGES)).reasons).toEqual(['worker_error']);
    expect(tasks).toEqual([]);
  });

  describe('when their time is spent', () => {
    it('are no longer started, and the report has the reason', async () => {
      await scanner(async () => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return reply();
      });
      const request = scans({ requestBudgetMs: 50 });
      request.add(PAGES[0] ?? '', INPUT);
      request.add(PAGES[1] ?? '', INPUT);
      expect(await request.report(PAGES)).toMatchObject({
        reasons: ['request_budget'],
        scannedBytes: 10,
      });
      request.add(PAGES[2] ?? '', INPUT);
      expect(tasks.length).toBe(1);
      await nothingIsLeft();
    });

    it('have no reason when the time was enough for all pages', async () => {
      await scanner(() => reply());
      const request = scans({ requestBudgetMs: 60_000 });
      request.add(PAGES[0] ?? '', INPUT);
      expect((await request.report(PAGES)).reasons).toEqual([]);
    });

    it('end with the request', async () => {
      await scanner(() => new Promise(() => undefined));
      const request = scans({}, { deadline: Deadline.after(2_000) });
      request.add(PAGES[0] ?? '', INPUT);
      request.add(PAGES[1] ?? '', INPUT);
      const startedAt = performance.now();
      expect((await request.report(PAGES)).reasons).toContain('queue_timeout');
      expect(performance.now() - startedAt).toBeLessThan(45_000);
    });
  });

  it('of a request that was returned to the queue end at once and leave no input', async () => {
    await scanner(() => new Promise(() => undefined));
    const request = scans();
    request.add(PAGES[0] ?? '', INPUT);
    request.add(PAGES[1] ?? '', INPUT);
    await until(() => tasks.length === 1);
    abort.abort(new Error('given back'));
    expect((await request.report(PAGES)).reasons).toEqual([]);
    await nothingIsLeft();
  });
});
