import { createGzip } from 'node:zlib';
import { Deadline } from '@app/contracts';
import { startLeakCheck, until, type LeakCheck, type Serve } from '@app/testing';
import { fetchRequest } from '../../test/fetch-request.js';
import { fetchedPageOf, startBench, type Bench } from '../../test/impersonation-bench.js';

describe('limits of the impersonating provider', () => {
  let leaks: LeakCheck;
  let bench: Bench | null = null;
  const use = async (serve: Serve) => (bench = await startBench(serve));
  beforeEach(() => (leaks = startLeakCheck()));
  afterEach(async () => {
    await bench?.close();
    bench = null;
    await leaks.assertClean();
  });

  describe('on bodies', () => {
    it('cuts at the cap and reports it', async () => {
      const { provider, site } = await use(({ response }) => void response.end('x'.repeat(5_000)));
      const page = fetchedPageOf(
        await provider.fetch(fetchRequest(site.url(), { maxBytes: 1_000 })),
      );
      expect([page.isCut, page.bytes, page.body.byteLength]).toEqual([true, 1_000, 1_000]);
      const whole = fetchedPageOf(
        await provider.fetch(fetchRequest(site.url(), { maxBytes: 5_000 })),
      );
      expect([whole.isCut, whole.bytes]).toEqual([false, 5_000]);
    });

    it('holds a gzip bomb of 1 GB to the cap in time and memory', async () => {
      const { provider, site } = await use(({ response }) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' });
        const gzip = createGzip({ level: 9 });
        gzip.pipe(response);
        let left = 1_024;
        const zeros = Buffer.alloc(1_048_576);
        const more = () => {
          while (left-- > 0 && !response.destroyed) if (!gzip.write(zeros)) return;
          gzip.end();
        };
        gzip.on('drain', more);
        more();
      });
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
      const page = fetchedPageOf(
        await provider.fetch(fetchRequest(site.url(), { maxBytes: 10_000_000 })),
      );
      clearInterval(watch);
      expect([page.isCut, page.bytes]).toEqual([true, 10_000_000]);
      expect(peak - before).toBeLessThan(120 * 1_048_576);
    });

    it.each(['gzip', 'deflate', 'br', 'zstd'])('names a broken %s body', async (encoding) => {
      const { provider, site } = await use(({ response }) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('this was never compressed');
      });
      const result = await provider.fetch(fetchRequest(site.url()));
      expect(result).toMatchObject({ ok: false, failure: { errorClass: 'parse_error' } });
    });

    it('names a body that broke off', async () => {
      const { provider, site } = await use(({ response, socket }) => {
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('half', () => socket.resetAndDestroy());
      });
      const result = await provider.fetch(fetchRequest(site.url()));
      expect(result).toMatchObject({ ok: false, failure: { errorClass: 'network' } });
    });
  });

  describe('on time', () => {
    /** Far more than a busy machine adds; the site itself never ends. */
    const FAR_TOO_LATE_MS = 45_000;
    const traps: readonly (readonly [string, Serve])[] = [
      ['a response that never begins', () => undefined],
      [
        'a body that never ends',
        ({ response }) => {
          const drip = setInterval(() => response.write('x'), 20);
          response.once('close', () => clearInterval(drip));
        },
      ],
      ['a body that stalls', ({ response }) => void response.writeHead(200).write('x')],
    ];

    it.each(traps)('ends %s at the deadline', async (_case, serve) => {
      const { provider, site } = await use(serve);
      const startedAt = performance.now();
      const deadline = Deadline.after(300);
      const result = await provider.fetch(fetchRequest(site.url(), { deadline }));
      expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
      expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
    });

    it.each(traps)('ends %s with the signal and hangs up on the site', async (_case, serve) => {
      let isClosed = false;
      const { provider, site } = await use((visit) => {
        visit.socket.once('close', () => (isClosed = true));
        return serve(visit);
      });
      const caller = new AbortController();
      const deadline = Deadline.after(60_000);
      const asked = provider.fetch(fetchRequest(site.url(), { deadline, signal: caller.signal }));
      await until(() => site.requests().length > 0);
      const abortedAt = performance.now();
      caller.abort();
      expect(await asked).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
      expect(performance.now() - abortedAt).toBeLessThan(FAR_TOO_LATE_MS);
      await until(() => isClosed, { what: 'the connection to the site to end' });
    });
  });
});
