import {
  docxOf,
  encryptedPdf,
  pdfOf,
  startFixtureSite,
  type FixtureSite,
  type OwnPage,
} from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

const file =
  (body: Uint8Array, type: string): OwnPage =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };

/** `url, text, markdown, isPdf, ok` (specification: Scrape result). */
interface Document {
  readonly url: string;
  readonly ok: boolean;
  readonly isPdf?: boolean;
  readonly format?: string;
  readonly text?: string;
  readonly markdown: string;
}

describe.each(MODES)('documents among pages, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    const links = ['/report.pdf', '/minutes', '/secret.pdf', '/broken.pdf']
      .map((target) => `<a href="${target}">${target}</a>`)
      .join(' ');
    site.serve({
      '/start': `<!doctype html><title>Start</title><p>A page that leads to documents: ${links}</p>`,
      '/report.pdf': file(
        pdfOf(['Annual report of the harbour', 'Cranes'], { link: site.url('/from-pdf') }),
        'application/pdf',
      ),
      '/from-pdf': '<!doctype html><title>Last</title><p>Only the document leads to this page.</p>',
      // Its name and type say nothing: it is known by its content.
      '/minutes': file(docxOf(['Minutes of the meeting']), 'application/octet-stream'),
      '/secret.pdf': file(encryptedPdf(), 'application/pdf'),
      '/broken.pdf': file(Buffer.from('%PDF-1.7\nand nothing more'), 'application/pdf'),
    });
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('are read by a crawl, which follows their links and reports those it could not read', async () => {
    const { client } = service;
    const { jobId } = await client.crawl({
      url: site.url('/start'),
      limit: 20,
      sitemap: 'skip',
      allowBackwardLinks: true,
    });
    const job = await client.waitForEnd(jobId, { timeoutMs: 60_000 });
    expect(job).toMatchObject({
      status: 'completed',
      pages_scraped: 4,
      failed: { parse_error: 2 },
    });
    const results = await client.results(jobId);
    const documents = new Map(
      results.map((one) => [new URL(one.url).pathname, one as unknown as Document]),
    );
    expect(Object.keys(documents.get('/report.pdf') ?? {}).toSorted()).toEqual([
      'isPdf',
      'markdown',
      'ok',
      'text',
      'url',
    ]);
    expect(documents.get('/report.pdf')).toMatchObject({ ok: true, isPdf: true });
    expect(documents.get('/report.pdf')?.text).toMatch(/Annual report of the harbour[^]*Cranes/);
    expect(documents.get('/minutes')).toMatchObject({ isPdf: false, format: 'docx' });
    expect(documents.get('/minutes')?.markdown).toContain('Minutes of the meeting');
    expect(documents.get('/from-pdf')?.markdown).toContain('Only the document leads');
  });

  it('are scraped like a page, with the fields of the specification', async () => {
    const { status, body } = await service.client.scrape({ url: site.url('/report.pdf') });
    expect(status).toBe(200);
    expect(Object.keys(body as object).toSorted()).toEqual([
      'isPdf',
      'markdown',
      'ok',
      'text',
      'url',
    ]);
    expect(body).toMatchObject({ url: site.url('/report.pdf'), ok: true, isPdf: true });
  });

  it.each([
    ['/secret.pdf', 'encrypted'],
    ['/broken.pdf', 'malformed'],
  ])('that cannot be read are refused with the reason: %s', async (path, reason) => {
    const { status, body } = await service.client.scrape({ url: site.url(path) });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      ok: false,
      error: 'Could not extract text from file / document',
      reason,
    });
  });
});
