import { randomBytes, randomUUID } from 'node:crypto';
import {
  docxOf,
  DOCX_TYPE,
  type FixtureSite,
  type OwnPage,
  type WebhookReceiver,
} from '@app/testing';

const MB = 1_000_000;

/** Text that no compression shortens by much, in words of which none comes twice. */
function words(bytes: number): string {
  return randomBytes(bytes / 2)
    .toString('hex')
    .replaceAll(/.{9}/g, '$& ');
}

const noise = (bytes: number): string => randomBytes((bytes * 3) / 4).toString('base64');
/** A query that makes an address of a page one of its own, as long as one may be. */
const longQuery = (): string => `?${randomBytes(900).toString('hex')}`;

const html =
  (body: () => string, head = ''): OwnPage =>
  ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html><head><title>x</title>${head}</head><body>${body()}</body></html>`,
      );

const PICTURE = `<canvas id=c width=1280 height=16000></canvas><script>
const context = c.getContext('2d'), picture = context.createImageData(1280, 16000);
for (let n = 0; n < picture.data.length; n += 65536)
  crypto.getRandomValues(picture.data.subarray(n, n + 65536));
for (let n = 3; n < picture.data.length; n += 4) picture.data[n] = 255;
context.putImageData(picture, 0, 0);
</script><p>A picture of noise, which no format of pictures makes small.</p>`;

/** What is large for its reader, each under its own path and anew at each visit. */
export const GROWTH_PAGES: Readonly<Record<string, OwnPage>> = {
  '/links': html(
    () => Array.from({ length: 20_000 }, (_, n) => `<a href=${n}>x</a>`).join(''),
    `<meta name=robots content=noindex><base href="/${'b'.repeat(1_900)}/">`,
  ),
  '/texts': html(() =>
    Array.from({ length: 20 }, () => `<p><a href="/text${longQuery()}">${words(200)}</a></p>`).join(
      '',
    ),
  ),
  '/text': html(() => `<p>${words(100_000)}</p>`),
  '/large': html(() => `<p>${noise(4 * MB)}</p>`),
  '/empty': html(() => `<!-- ${noise(4 * MB)} -->`),
  '/picture': html(() => PICTURE),
  '/sitemap.xml': ({ url, response }) =>
    void response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
          { length: 100 },
          () => `<url><loc>${url.origin}/text${longQuery()}</loc></url>`,
        ).join('')}</urlset>`,
      ),
};

/** One request of the caller. */
export interface GrowthCall {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object | FormData;
  /** Sent with a key, so that its response is kept. @default false */
  readonly isKept?: boolean;
}

/** What the responses to earlier calls gave the caller. */
export interface GrowthFinds {
  /** Its last job that brings pages, which may still run, and the one before. */
  newestJobId?: string;
  jobId?: string;
  previewId?: string;
  feedId?: string;
  keyId?: string;
  deliveryId?: string;
}

export interface GrowthKind {
  readonly name: string;
  /** Null: there is nothing yet to do it with. */
  readonly next: (finds: GrowthFinds) => GrowthCall | null;
  readonly learn?: (body: Readonly<Record<string, never>>, finds: GrowthFinds) => void;
}

const PATTERNS = (): string[] =>
  Array.from({ length: 50 }, () => `/${randomBytes(240).toString('hex')}`);

/** The calls that make most grow for least, in their turn. */
export function growthKinds(site: FixtureSite, receiver: WebhookReceiver): readonly GrowthKind[] {
  const webhook = (): string => `${receiver.url}${longQuery()}`;
  const sitemap = { connectorId: 'sitemap_urls', params: { url: site.url('/') } };
  const addresses = (path: string, count: number): string[] =>
    Array.from({ length: count }, () => site.url(`${path}${longQuery()}`));
  const linksOnly: GrowthKind = {
    name: 'crawl of 20,000 links',
    next: () => ({
      path: '/v1/crawl',
      body: {
        ...{ url: site.url('/links'), limit: 1, index: true, webhook: webhook() },
        ...{ excludePaths: PATTERNS(), allowBackwardLinks: true, sitemap: 'skip' },
      },
      isKept: true,
    }),
  };
  const batchOf = (name: string, path: string, count: number): GrowthKind => ({
    name,
    next: () => ({
      path: '/v1/batch',
      body: {
        ...{ urls: addresses(path, count), async: true, index: true, webhook: webhook() },
        formats: ['markdown', 'rawHtml'],
      },
      isKept: true,
    }),
    learn: ({ jobId }, finds) => {
      finds.jobId = finds.newestJobId;
      finds.newestJobId = jobId;
    },
  });
  const scrapeOf = (name: string, path: string): GrowthKind => ({
    name,
    next: () => ({
      path: '/v1/scrape',
      body: {
        url: site.url(`${path}${longQuery()}`),
        formats: ['markdown'],
        includeHtml: true,
      },
      isKept: true,
    }),
  });
  const simple = (name: string, next: GrowthKind['next']): GrowthKind => ({ name, next });
  return [
    linksOnly,
    batchOf('batch of texts', '/text', 5),
    scrapeOf('scrape of 4 MB', '/large'),
    linksOnly,
    batchOf('batch of 4 MB without text', '/empty', 5),
    scrapeOf('scrape of 4 MB without text', '/empty'),
    simple('extract from stored pages', ({ jobId }) =>
      jobId === undefined
        ? null
        : {
            path: `/v1/crawl/${jobId}/extract`,
            body: { formats: ['markdown', 'rawHtml'] },
            isKept: true,
          },
    ),
    linksOnly,
    {
      name: 'crawl of texts',
      next: () => ({
        path: '/v1/crawl',
        body: {
          ...{ url: site.url('/texts'), limit: 5, index: true, allowBackwardLinks: true },
          scrapeOptions: { formats: ['markdown', 'rawHtml', 'links'] },
        },
        isKept: true,
      }),
    },
    simple('sync batch of 4 MB', () => ({
      path: '/v1/batch',
      body: { urls: addresses('/large', 3), includeHtml: true },
      isKept: true,
    })),
    simple('screenshot', () => ({
      path: '/v1/screenshot',
      body: { url: site.url('/picture'), fullPage: true },
      isKept: true,
    })),
    simple('parse', () => {
      const body = new FormData();
      const paragraphs = Array.from({ length: 20 }, () => words(50_000));
      body.set(
        'file',
        new Blob([new Uint8Array(docxOf(paragraphs))], { type: DOCX_TYPE }),
        'a.docx',
      );
      body.set('format', 'rag');
      return { path: '/v1/parse', body, isKept: true };
    }),
    simple('map', () => ({ path: '/v1/map', body: { url: site.url('/') }, isKept: true })),
    {
      name: 'preview',
      next: () => ({ path: '/v1/preview', body: sitemap }),
      learn: ({ jobId }, finds) => void (finds.previewId = jobId),
    },
    simple('pull', ({ previewId }) =>
      previewId === undefined
        ? null
        : { path: '/v1/pull', body: { jobId: previewId }, isKept: true },
    ),
    simple('chat', () => ({
      path: '/v1/chat',
      body: { message: `urls of ${site.url('/')} about ${randomBytes(900).toString('hex')}` },
      isKept: true,
    })),
    {
      name: 'feed',
      next: () => ({
        path: '/v1/feeds',
        body: { ...sitemap, schedule: '0 0 * * *', firstRun: 'full', webhookUrl: webhook() },
        isKept: true,
      }),
      learn: ({ feedId }, finds) => void (finds.feedId = feedId),
    },
    simple('run of a feed', ({ feedId }) =>
      feedId === undefined ? null : { path: `/v1/feeds/${feedId}/run`, isKept: true },
    ),
    {
      name: 'key',
      next: () => ({ path: '/v1/keys', body: { label: randomUUID() } }),
      learn: ({ id }, finds) => void (finds.keyId = id),
    },
    simple('end of a key', ({ keyId }) =>
      keyId === undefined ? null : { method: 'DELETE', path: `/v1/keys/${keyId}` },
    ),
  ];
}
