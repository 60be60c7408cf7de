import { Deadline } from '@app/contracts';
import { BlockedUrlError, HttpFetchError, type HttpRequest, type HttpResponse } from '@app/egress';
import { SheetFetcher } from './sheet-fetcher.js';

const KIB = 1_024;
const at = (name: string | number): string => `https://a.example/${name}.css`;

/** Responses by the URL's file name; an error is thrown, a text served. */
class FakeHttp {
  readonly asked: string[] = [];
  readonly deadlines: number[] = [];
  atOnce = 0;
  private running = 0;

  constructor(
    private readonly sheets: Readonly<Record<string, string | Error>>,
    private readonly now: () => number = Date.now,
  ) {}

  async fetch({ url, deadline, maxBytes }: HttpRequest): Promise<HttpResponse> {
    this.asked.push(String(url));
    this.deadlines.push(deadline.atMs - this.now());
    this.running++;
    this.atOnce = Math.max(this.atOnce, this.running);
    await new Promise((resolve) => setImmediate(resolve));
    this.running--;
    const found = this.sheets[/(?<!\w)(\w+)\.css$/.exec(String(url))?.[1] ?? ''] ?? '';
    if (typeof found !== 'string') throw found;
    const body = new TextEncoder().encode(found).slice(0, maxBytes);
    return {
      url,
      status: 200,
      headers: { 'content-type': 'text/css' },
      body,
    } as unknown as HttpResponse;
  }
}

const fetchAll = (
  http: FakeHttp,
  urls: readonly string[],
  deadline = Deadline.after(60_000, () => 0),
) => new SheetFetcher(http).fetchAll(urls, { deadline });

describe('SheetFetcher', () => {
  it('returns sheets in the order of the page, imports after those that name them', async () => {
    const http = new FakeHttp({ a: '@import "c.css";', b: 'b{}', c: '@import "a.css";c{}' });
    const { sheets, reasons } = await fetchAll(http, [at('a'), at('b')]);
    expect(sheets.map(([url]) => url)).toEqual([at('a'), at('b'), at('c')]);
    expect([http.asked.length, reasons]).toEqual([3, []]);
  });

  it('requests six at a time, each in 4 s of the 6 s for all', async () => {
    const now = Date.now();
    const http = new FakeHttp({}, () => now);
    await fetchAll(
      http,
      Array.from({ length: 20 }, (_, n) => at(n)),
      Deadline.after(60_000, () => now),
    );
    expect([http.asked.length, http.atOnce]).toEqual([20, 6]);
    expect(new Set(http.deadlines)).toEqual(new Set([4_000]));
  });

  it('requests 40 at most, imports included', async () => {
    const http = new FakeHttp({
      0: Array.from({ length: 50 }, (_, n) => `@import "i${n}.css";`).join(''),
    });
    const { sheets, reasons } = await fetchAll(http, [at(0)]);
    expect([http.asked.length, sheets.length, reasons]).toEqual([40, 40, ['stylesheet_count_cap']]);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly number[], readonly string[]]>([
    ['one of 512 KB whole', { a: ' '.repeat(512 * KIB) }, [512 * KIB], []],
    [
      'the first 512 KB of a longer one',
      { a: ' '.repeat(512 * KIB + 1) },
      [512 * KIB],
      ['stylesheet_byte_cap'],
    ],
    [
      '2 MB of all, in the order of the page',
      Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, ' '.repeat(400 * KIB)]),
      ),
      [400, 400, 400, 400, 400, 48].map((kib) => kib * KIB),
      ['stylesheet_total_byte_cap'],
    ],
  ])('keeps %s', async (_, sheets, sizes, reasons) => {
    const found = await fetchAll(new FakeHttp(sheets), Object.keys(sheets).map(at));
    expect([found.sheets.map(([, { css }]) => css.length), found.reasons]).toEqual([
      sizes,
      reasons,
    ]);
  });

  it('sends no more requests when the total size is reached', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `${n}`);
    const http = new FakeHttp(
      Object.fromEntries(names.map((name) => [name, ' '.repeat(512 * KIB)])),
    );
    const { sheets, reasons } = await fetchAll(http, names.map(at));
    expect(http.asked.length).toBeLessThan(15);
    expect([sheets.length, reasons]).toEqual([4, ['stylesheet_total_byte_cap']]);
  });

  it.each<[string, Error, readonly string[]]>([
    ['refused', new BlockedUrlError('connect', 'https://a.example/'), []],
    ['unreachable', new HttpFetchError('network', 'ECONNREFUSED'), []],
    ['too slow', new HttpFetchError('timeout', 'deadline'), ['stylesheet_timeout']],
  ])('goes on without one that is %s', async (_, error, reasons) => {
    const found = await fetchAll(new FakeHttp({ a: error, b: 'b{}' }), [at('a'), at('b')]);
    expect([found.sheets.map(([url]) => url), found.reasons]).toEqual([[at('b')], reasons]);
  });

  it('uses the received part of a slow one', async () => {
    const body = new TextEncoder().encode('a{color:red}');
    const partial = { url: at('a'), status: 200, headers: {}, body } as unknown as HttpResponse;
    const error = new HttpFetchError('timeout', 'deadline', { partial });
    const { sheets } = await fetchAll(new FakeHttp({ a: error }), [at('a')]);
    expect(sheets.map(([, { css }]) => css)).toEqual(['a{color:red}']);
  });

  it('names the budget, not the sheet, where all time is over', async () => {
    const http = new FakeHttp({ a: new HttpFetchError('timeout', 'deadline') });
    expect((await fetchAll(http, [at('a')], Deadline.after(1_000))).reasons).toEqual([
      'stylesheet_budget',
    ]);
    const none = await fetchAll(http, [at('a')], Deadline.after(0));
    expect([none.sheets, none.reasons]).toEqual([[], ['stylesheet_budget']]);
  });

  it('throws internal errors', async () => {
    const fault = new TypeError('ours');
    await expect(fetchAll(new FakeHttp({ a: fault }), [at('a')])).rejects.toBe(fault);
  });
});
