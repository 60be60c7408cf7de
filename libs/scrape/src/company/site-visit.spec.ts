import { Deadline } from '@app/contracts';
import { until } from '@app/testing';
import type { PageRequest, PageResult } from '../page/page-result.js';
import { SiteVisit, type FetchPage } from './site-visit.js';

const SITE = 'http://a.example';
const PAGE = { kind: 'document' } as unknown as PageResult;
const TIMEOUT = { kind: 'failed', errorClass: 'timeout' } as unknown as PageResult;

const requestOf = (path: string): PageRequest =>
  ({ url: `${SITE}${path}`, deadline: Deadline.after(60_000) }) as unknown as PageRequest;

describe('a visit to a site', () => {
  const visits: SiteVisit[] = [];
  const visit = (ms = 60_000, signal = new AbortController().signal): SiteVisit => {
    const one = new SiteVisit({ deadline: Deadline.after(ms), signal });
    visits.push(one);
    return one;
  };
  afterEach(() => visits.splice(0).forEach((one) => one.close()));

  /** Responds when the test says so. */
  const gate = () => {
    const opened: (() => void)[] = [];
    const asked: string[] = [];
    const fetchPage: FetchPage = ({ url }) => {
      asked.push(new URL(url).pathname);
      return new Promise((resolve) => opened.push(() => resolve(PAGE)));
    };
    return { fetchPage, asked, opened };
  };

  it('requests two pages at a time, in order', async () => {
    const { fetchPage, asked, opened } = gate();
    const one = visit();
    const all = ['/1', '/2', '/3', '/4'].map((path) => one.fetch(requestOf(path), fetchPage));
    await until(() => asked.length === 2);
    opened[1]?.();
    await all[1];
    await until(() => asked.length === 3);
    expect(asked).toEqual(['/1', '/2', '/3']);
    opened[0]?.();
    opened[2]?.();
    await until(() => asked.length === 4);
    opened[3]?.();
    expect(await Promise.all(all)).toEqual([PAGE, PAGE, PAGE, PAGE]);
    expect(one.isCutShort).toBe(false);
  });

  it('keeps a Crawl-delay from page to page, one at a time', async () => {
    const delayMs = 80;
    const sentAt: number[] = [];
    let [open, most] = [0, 0];
    const fetchPage: FetchPage = async ({ url, pace }) => {
      pace?.learn(new URL(url), delayMs);
      most = Math.max(most, ++open);
      sentAt.push(performance.now());
      pace?.sent(new URL(url));
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return PAGE;
    };
    const one = visit();
    await one.fetch(requestOf('/'), fetchPage);
    const aside = one.aside(SITE, async () => void sentAt.push(performance.now()));
    await Promise.all([
      aside,
      ...['/1', '/2', '/3'].map((path) => one.fetch(requestOf(path), fetchPage)),
    ]);
    const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
    expect(gaps.length).toBe(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(delayMs - 1);
    expect(most).toBe(1);
  });

  it('does not wait for a turn beyond its deadline', async () => {
    const fetchPage: FetchPage = async ({ url, pace }) => {
      pace?.learn(new URL(url), 60_000);
      pace?.sent(new URL(url));
      return PAGE;
    };
    const one = visit(50_000);
    await one.fetch(requestOf('/'), fetchPage);
    const startedAt = performance.now();
    expect(await one.fetch(requestOf('/1'), fetchPage)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(one.isCutShort).toBe(true);
  });

  it('ends at its time limit, and aborts running requests', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const one = visit(60);
    const hanging = one.fetch(requestOf('/'), ({ signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    expect(await hanging).toBeNull();
    expect([one.isCutShort, signals[0]?.aborted]).toEqual([true, true]);
    expect(await one.fetch(requestOf('/1'), async () => PAGE)).toBeNull();
    expect(await one.aside(SITE, () => new Promise(() => undefined))).toBeNull();
  });

  it('distinguishes a slow site from an expired time limit', async () => {
    const one = visit();
    expect(await one.fetch(requestOf('/'), async () => TIMEOUT)).toBe(TIMEOUT);
    expect(one.isCutShort).toBe(false);
  });

  it('ends when its caller aborts it', async () => {
    const abort = new AbortController();
    const one = visit(60_000, abort.signal);
    const hanging = one.fetch(requestOf('/'), () => new Promise(() => undefined));
    abort.abort();
    expect(await hanging).toBeNull();
  });
});
