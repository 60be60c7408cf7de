import { Deadline, type ErrorClass } from '@app/contracts';
import { loadBuiltInFingerprints, compileFingerprints, type Fingerprint } from '@app/tech';
import type { PageRequest, PageResult, WatchedEnd } from '../page/page-result.js';
import { DeepScan } from './deep-scan.js';
import { globalPathsOf } from './open-tech-scans.js';

const INPUT = new Uint8Array([1]);

const rendered = (watched?: Partial<WatchedEnd>): PageResult =>
  ({
    kind: 'document',
    scanInput: INPUT,
    ...(watched
      ? { watched: { isCapped: false, isUnsettled: false, isUnresponsive: false, ...watched } }
      : {}),
  }) as unknown as PageResult;

const failed = (errorClass: ErrorClass): PageResult =>
  ({ kind: 'failed', errorClass }) as unknown as PageResult;

describe('a deep scan', () => {
  const deep = new DeepScan({ globalPaths: ['jQuery'], budgetMs: 5_000 });
  const signal = new AbortController().signal;
  const terms = (leftMs = 60_000) => ({
    tenantId: 't',
    plan: 'pro' as const,
    deadline: Deadline.after(leftMs),
    signal,
  });
  const render = (result: PageResult | null, leftMs?: number) =>
    deep.render('http://a.example/', terms(leftMs), async () => result);

  it('renders the page within its budget, watched', async () => {
    const asked: PageRequest[] = [];
    await deep.render('http://a.example/', terms(), async (request) => {
      asked.push(request);
      return rendered({});
    });
    expect(asked).toMatchObject([
      {
        url: 'http://a.example/',
        outputs: { scan: true },
        ignoreRobotsTxt: false,
        render: { watch: { globalPaths: ['jQuery'], globalsMs: 1_000, maxRequests: 300 } },
        fetch: { forceHeadless: true },
      },
    ]);
    expect(asked[0]?.deadline.remainingMs()).toBeLessThanOrEqual(5_000);
  });

  it.each<[string, PageResult, readonly string[]]>([
    ['that came to rest', rendered({}), []],
    ['of too many requests', rendered({ isCapped: true }), ['request_cap']],
    ['that did not say what globals it has', rendered({ isUnresponsive: true }), ['deep_budget']],
    ['that had not come to rest while there was time', rendered({ isUnsettled: true }), []],
  ])('has globals and requests of a page %s', async (_what, result, reasons) => {
    expect(await render(result)).toEqual({
      input: INPUT,
      reasons,
      sources: ['runtime', 'network'],
    });
  });

  it('names its budget when that ended a page', async () => {
    expect(await render(rendered({ isUnsettled: true, isCapped: true }), 5)).toMatchObject({
      input: INPUT,
      reasons: ['deep_budget', 'request_cap'],
    });
  });

  it.each<[string, PageResult | null, readonly string[]]>([
    ['there is no browser', failed('unknown'), ['render_failed']],
    ['robots.txt forbids it', failed('robots'), ['render_failed']],
    ['it leads to a forbidden URL', { kind: 'blocked', url: '' }, ['render_failed']],
    ['it was no page that renders', rendered(), ['render_failed']],
    ['its time was over', failed('timeout'), ['deep_budget', 'render_failed']],
    ['its turn did not come', null, ['deep_budget', 'render_failed']],
  ])('has nothing when %s', async (_what, result, reasons) => {
    expect(await render(result)).toEqual({ input: null, reasons, sources: [] });
  });
});

describe('the globals that fingerprints read', () => {
  it('are those of the set they compile to', () => {
    const own: Fingerprint[] = [
      { name: 'A', category: 'x', js: { 'a.b': '', jQuery: '' } },
      { name: 'A', category: 'x', js: { 'a.c': '' } },
    ];
    const all = [...loadBuiltInFingerprints(), ...own];
    expect(globalPathsOf(own)).toEqual(['a.c']);
    expect(globalPathsOf(all)).toEqual(compileFingerprints(all).globalPaths);
  });
});
