import type { PageBrand } from '@app/company';
import { Deadline } from '@app/contracts';
import { BlockedUrlError, HttpFetchError, type HttpRequest, type HttpResponse } from '@app/egress';
import type { PageRequest, PageResult } from '../page/page-result.js';
import { ThreadTimeoutError } from '../threads/thread-pool.js';
import type { BrandSteps } from './brand.worker.js';
import { BrandReader, type BrandReaderOptions } from './brand-reader.js';
import type { BrandPage, BrandParts, PageBranding, PageOutline } from './brand-task.js';

const BRAND: PageBrand = {
  domain: 'moved.example',
  colors: [],
  fonts: [],
  socials: {},
  confidence: 0.4,
  provenance: {},
  reasons: ['css_value_cap'],
};
const PAGE: BrandPage = { html: '<p>x', url: 'https://moved.example/' };
const OUTLINE: PageOutline = { sheets: [], manifest: null };

interface Given {
  readonly result?: PageResult;
  readonly outline?: PageOutline;
  readonly http?: (request: HttpRequest) => Promise<HttpResponse>;
  readonly read?: () => Promise<PageBrand>;
  readonly branding?: () => Promise<PageBranding>;
}

function setUp({
  result,
  outline = OUTLINE,
  http,
  read = async () => BRAND,
  branding = async () => ({ branding: { colorScheme: 'dark' }, cuts: ['css_cap'] }),
}: Given = {}) {
  const asked: PageRequest[] = [];
  const parts: BrandParts[] = [];
  const document = { rawHtml: PAGE.html, url: PAGE.url };
  const options: BrandReaderOptions = {
    pages: {
      fetch: async (request) => {
        asked.push(request);
        return result ?? ({ kind: 'document', document } as unknown as PageResult);
      },
    },
    http: { fetch: http ?? (async () => Promise.reject(new HttpFetchError('network', 'x'))) },
    pool: {
      run: (async (step: keyof BrandSteps, { sheets, manifest = null }: BrandParts) => {
        if (step === 'outline') return outline;
        parts.push({ sheets, manifest });
        return step === 'read' ? read() : branding();
      }) as never,
    },
  };
  return { reader: new BrandReader(options), asked, parts };
}

const question = (more: object = {}) => ({
  url: 'https://www.acme.example/',
  tenantId: 't',
  plan: 'pro' as const,
  deadline: Deadline.after(60_000),
  ...more,
});

describe('BrandReader', () => {
  it('reads the homepage by all methods of fetching, in time that leaves some for the sheets', async () => {
    const { reader, asked } = setUp();
    const deadline = Deadline.after(30_000, () => 0);
    const reply = await reader.read(question({ deadline }));
    expect(reply).toEqual({
      kind: 'brand',
      brand: { ...BRAND, domain: 'acme.example', freshness: expect.stringMatching(/Z$/) },
    });
    expect(asked[0]).toMatchObject({ outputs: { rawHtml: true }, ignoreRobotsTxt: false });
    const leftMs = asked[0]?.deadline.remainingMs() ?? 0;
    expect([leftMs > 21_000, leftMs <= 22_000]).toEqual([true, true]);
  });

  it('uses a homepage that was fetched already', async () => {
    const { reader, asked } = setUp();
    expect((await reader.read(question({ page: PAGE }))).kind).toBe('brand');
    expect(asked).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['is refused', { kind: 'blocked', url: 'x' }, { kind: 'blocked', url: 'x' }],
    [
      'cannot be had',
      { kind: 'failed', problem: 'Fetch failed: HTTP 404' },
      { kind: 'failed', problem: 'Fetch failed: HTTP 404' },
    ],
    [
      'is a file',
      { kind: 'document', document: { file: {}, rawHtml: '' } },
      { kind: 'failed', problem: 'The address leads to a file, not to a page' },
    ],
  ])('says so when the homepage %s', async (_, result, reply) => {
    const { reader } = setUp({ result: result as PageResult });
    expect(await reader.read(question())).toEqual(reply);
  });

  it('joins the cuts of the sheets and of the page, in order', async () => {
    const http = async (): Promise<HttpResponse> =>
      Promise.reject(new HttpFetchError('timeout', 'deadline'));
    const { reader } = setUp({
      outline: { sheets: ['https://a.example/a.css'], manifest: null },
      http,
    });
    const reply = await reader.read(question());
    expect(reply).toMatchObject({ brand: { reasons: ['stylesheet_timeout', 'css_value_cap'] } });
  });

  it.each<[string, HttpResponse | Error, object | null]>([
    [
      'read',
      {
        url: 'https://a.example/m',
        status: 200,
        body: Buffer.from('{}'),
      } as unknown as HttpResponse,
      { url: 'https://a.example/m', text: '{}' },
    ],
    [
      'left out where it is missing',
      { status: 404, body: Buffer.from('') } as unknown as HttpResponse,
      null,
    ],
    ['left out where it is refused', new BlockedUrlError('connect', 'https://a.example/'), null],
  ])('has the web manifest %s', async (_, answer, manifest) => {
    const http = async (): Promise<HttpResponse> => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { reader, parts } = setUp({
      outline: { sheets: [], manifest: 'https://a.example/m' },
      http,
    });
    await reader.read(question());
    expect(parts).toEqual([{ sheets: [], manifest }]);
  });

  it('reports an expired deadline, and throws internal errors', async () => {
    const late = setUp({ read: async () => Promise.reject(new ThreadTimeoutError('deadline')) });
    expect(await late.reader.read(question())).toMatchObject({ kind: 'failed' });
    const fault = new TypeError('ours');
    const broken = setUp({ read: async () => Promise.reject(fault) });
    await expect(broken.reader.read(question())).rejects.toBe(fault);
  });
});

describe('the branding of a page that was fetched', () => {
  const own = { colorScheme: 'light' } as const;
  const terms = () => ({ tenantId: 't', deadline: Deadline.after(60_000) });

  it('is read with its sheets, and names their cuts', async () => {
    const outline = { sheets: ['https://moved.example/a.css'], manifest: null };
    const http = () => Promise.reject(new HttpFetchError('timeout', 'slow'));
    const { reader, asked, parts } = setUp({ outline, http });
    expect(await reader.branding(PAGE, own, terms())).toEqual({
      colorScheme: 'dark',
      brand_meta: { partial: true, reasons: ['stylesheet_timeout', 'css_cap'] },
    });
    expect([asked, parts]).toEqual([[], [{ sheets: [], manifest: null }]]);
  });

  it.each([
    ['deadline', 'stylesheet_budget'],
    ['busy', 'stylesheet_budget'],
    ['memory', 'css_cap'],
    ['work', 'css_cap'],
  ] as const)(
    'is what the page alone says when a thread ends by %s: %s',
    async (problem, reason) => {
      const branding = () => Promise.reject(new ThreadTimeoutError(problem));
      const { reader } = setUp({ branding });
      expect(await reader.branding(PAGE, own, terms())).toEqual({
        ...own,
        brand_meta: { partial: true, reasons: [reason] },
      });
    },
  );
});
