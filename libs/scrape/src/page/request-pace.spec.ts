import { Deadline, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import {
  PLAIN_RENDER,
  Spend,
  type FetchRequest,
  type FetchRung,
  type RungResult,
} from '@app/fetch';
import { pacedRung, RequestPace } from './request-pace.js';

const URL_ASKED = new URL('http://site.example/a');
const ELSEWHERE = new URL('http://www.site.example/a');
const DELAY_MS = 60;

const signal = new AbortController().signal;

const request = (deadline = Deadline.after(60_000)): FetchRequest => ({
  url: URL_ASKED,
  deadline,
  maxBytes: 1,
  options: DEFAULT_FETCH_OPTIONS,
  spend: new Spend(null),
  onRetryAfter: 'report',
  render: PLAIN_RENDER,
});

const page = (timings: Readonly<Record<string, number>>): RungResult => ({
  ok: true,
  page: {
    url: URL_ASKED.href,
    statusCode: 200,
    contentType: null,
    headers: {},
    body: new Uint8Array(),
    bytes: 0,
    isCut: false,
    redirects: [],
    timings,
    isRendered: false,
  },
});

const rung = (name: FetchRung['rung'], fetch: FetchRung['fetch']): FetchRung => ({
  rung: name,
  fetchMethod: 'plain',
  network: 'ours',
  runsScripts: false,
  costMicroUsd: 0,
  fetch,
});

const sentAt = (pace: RequestPace, url = URL_ASKED): number | null | undefined =>
  pace.visits().find(({ host }) => host === url.host)?.lastSentAtMs;

/** Start times of two attempts of a page, milliseconds apart. */
async function apartMs(crawlDelayMs: number | null | undefined): Promise<number> {
  const pace = new RequestPace(signal);
  const beganAt: number[] = [];
  const one = rung('plain', () => {
    beganAt.push(performance.now());
    return Promise.resolve(page({ ttfbMs: 0, downloadMs: 0 }));
  });
  pace.learn(URL_ASKED, crawlDelayMs);
  const paced = pacedRung(one, { pace, whole: Deadline.after(60_000) });
  await paced.fetch(request());
  await paced.fetch(request());
  const [first = NaN, second = NaN] = beganAt;
  return second - first;
}

describe('the pace of one page', () => {
  it('keeps the delay between two attempts', async () => {
    expect(await apartMs(DELAY_MS)).toBeGreaterThanOrEqual(DELAY_MS);
  });

  it.each([null, undefined, 0])('does not wait when the delay is %s', async (delayMs) => {
    const pace = new RequestPace(signal, () => 1_000);
    pace.learn(URL_ASKED, delayMs);
    pace.sent(URL_ASKED);
    expect(pace.leftMs(URL_ASKED)).toBe(0);
    await pace.turn(URL_ASKED);
    expect(sentAt(pace)).toBe(1_000);
  });

  it('keeps the delay before a redirect to the host, and starts a new one at another', async () => {
    const pace = new RequestPace(signal);
    pace.learn(URL_ASKED, DELAY_MS);
    const waitsMs: number[] = [];
    const redirecting = rung('headless', async ({ onRedirect }) => {
      for (const target of [URL_ASKED, ELSEWHERE]) {
        const startedAt = performance.now();
        await onRedirect?.(target);
        waitsMs.push(performance.now() - startedAt);
      }
      return page({});
    });
    const onRedirect = (target: URL) => Promise.resolve(pace.learn(target, 600_000));
    await pacedRung(redirecting, { pace, whole: Deadline.after(60_000) }).fetch({
      ...request(),
      onRedirect: (target) =>
        target.host === ELSEWHERE.host ? onRedirect(target) : Promise.resolve(),
    });
    expect(waitsMs[0]).toBeGreaterThanOrEqual(DELAY_MS);
    // It received no request: its delay of ten minutes is for the next page.
    expect(pace.leftMs(ELSEWHERE)).toBeGreaterThan(9_000);
    expect(pace.visits().map(({ host }) => host)).toEqual([URL_ASKED.host, ELSEWHERE.host]);
    expect(sentAt(pace, ELSEWHERE)).not.toBeNull();
  });

  it.each<[string, FetchRung['rung'], RungResult, number]>([
    [
      'when it was sent, where the rung reports it',
      'plain',
      page({ ttfbMs: 300, downloadMs: 200 }),
      500,
    ],
    ['its end, where it does not', 'headless', page({ ttfbMs: 300, renderMs: 200 }), 0],
    [
      'its end, when it failed',
      'plain',
      {
        ok: false,
        failure: { errorClass: 'timeout', problem: '', statusCode: null, retryAfterMs: null },
      },
      0,
    ],
  ])('counts an attempt from %s', async (_name, name, result, agoMs) => {
    const pace = new RequestPace(signal);
    let endedAt = NaN;
    const one = rung(name, () => {
      endedAt = performance.now();
      return Promise.resolve(result);
    });
    await pacedRung(one, { pace, whole: Deadline.after(60_000) }).fetch(request());
    expect(sentAt(pace)).toBeGreaterThanOrEqual(endedAt - agoMs);
    expect(sentAt(pace)).toBeLessThanOrEqual(performance.now() - agoMs);
  });

  it('remembers a request whose rung threw', async () => {
    const pace = new RequestPace(signal);
    const broken = rung('plain', () => Promise.reject(new Error('broken')));
    await expect(
      pacedRung(broken, { pace, whole: Deadline.after(60_000) }).fetch(request()),
    ).rejects.toThrow('broken');
    expect(sentAt(pace)).not.toBeNull();
  });

  it('has a host that received no request', () => {
    const pace = new RequestPace(signal);
    pace.learn(URL_ASKED, 1_000);
    expect(pace.visits()).toEqual([
      { host: URL_ASKED.host, crawlDelayMs: 1_000, lastSentAtMs: null },
    ]);
  });

  it('delays a worker no longer than allowed, and not at all after its page was aborted', async () => {
    const abort = new AbortController();
    const pace = new RequestPace(abort.signal);
    pace.learn(URL_ASKED, 600_000);
    expect(pace.leftMs(URL_ASKED)).toBe(10_000);
    pace.sent(URL_ASKED);
    abort.abort();
    await pace.turn(URL_ASKED);
    expect(pace.leftMs(URL_ASKED)).toBe(0);
  });

  it('does not count waits in the share of a rung', async () => {
    const pace = new RequestPace(signal);
    pace.learn(URL_ASKED, DELAY_MS);
    pace.sent(URL_ASKED);
    let leftMs = NaN;
    const one = rung('plain', ({ deadline }) => {
      leftMs = deadline.remainingMs();
      return Promise.resolve(page({}));
    });
    const whole = Deadline.after(60_000);
    const waits: unknown[] = [];
    const onWait = (...wait: unknown[]): void => void waits.push(wait);
    await pacedRung(one, { pace, whole, onWait }).fetch(request(whole.within(5_000)));
    expect(leftMs).toBeGreaterThan(4_900);
    expect(waits).toEqual([['plain', expect.any(Number)]]);
    expect((waits as number[][])[0]?.[1]).toBeGreaterThan(0);
  });
});
