import { DEFAULT_JOB_SCRAPE, type JobScrape } from '@app/contracts';
import { claimedPage, documentResult } from '../../test/claimed-page.js';
import { crawlResult } from './crawl-result.js';

const { document } = documentResult({
  markdown: '# A',
  rawHtml: '<h1>A',
  links: ['http://site.example/b'],
  branding: { logo: 'http://site.example/l.svg' },
});
const resultOf = (
  scrape: Partial<JobScrape>,
  page = document,
  { screenshot, packed }: { readonly screenshot?: string; readonly packed?: Uint8Array } = {},
) =>
  JSON.parse(
    String(
      crawlResult(
        page,
        claimedPage({ options: { scrape: { ...DEFAULT_JOB_SCRAPE, ...scrape } } }),
        {
          screenshot,
          packed,
        },
      ),
    ),
  ) as object;

describe('the result of a crawled page', () => {
  it('has the default fields without formats', () => {
    const { rawHtml: _, links: __, ...plain } = document;
    expect(Object.keys(resultOf({}, plain))).toEqual([
      'url',
      'ok',
      'statusCode',
      'markdown',
      'metadata',
      'cascade',
      'unblock',
    ]);
  });

  it('has the index of its address in a batch', () => {
    expect(JSON.parse(String(crawlResult(document, claimedPage({ position: 3 }))))).toMatchObject({
      index: 3,
      url: document.url,
    });
  });

  it('leaves Markdown out where it is not requested', () => {
    expect(resultOf({ formats: ['links'] })).not.toHaveProperty('markdown');
    expect(resultOf({ formats: ['links', 'markdown'] })).toHaveProperty('markdown', '# A');
  });

  it('has the Markdown without what other pages have, and says how much that was', () => {
    const shortened = { markdown: '# A', blocks: 2, characters: 90 };
    const long = { ...document, markdown: '# A\n\nof all pages' };
    const stored = (page: ReturnType<typeof claimedPage>) =>
      JSON.parse(String(crawlResult(long, page, { shortened }))) as object;
    expect(stored(claimedPage())).toMatchObject({
      markdown: '# A',
      dropped_repeated: { blocks: 2, characters: 90 },
    });
    const scrape = { ...DEFAULT_JOB_SCRAPE, formats: ['links'] as const };
    expect(stored(claimedPage({ options: { scrape } }))).not.toHaveProperty('dropped_repeated');
  });

  it('has the requested formats, or null for missing ones', () => {
    expect(resultOf({ formats: ['product'] })).toMatchObject({ product: null });
    expect(resultOf({ formats: ['branding', 'screenshot'], listing: true })).toMatchObject({
      branding: { logo: 'http://site.example/l.svg' },
      listing: null,
      screenshot: null,
    });
    const screenshot = 'data:image/png;base64,AA==';
    const pictured = resultOf({ formats: ['screenshot'] }, document, { screenshot });
    expect(pictured).toMatchObject({ screenshot: 'data:image/png;base64,AA==' });
  });

  it.each([{ markdown: '# Ü\n', links: [] }, {}])(
    'has what its thread made JSON of beside the rest: %j',
    (made) => {
      const packed = Buffer.from(JSON.stringify(made));
      const { markdown: _, rawHtml: __, links: ___, ...bare } = document;
      const scrape = { formats: ['markdown', 'links', 'branding'] as const };
      const result = resultOf(scrape, bare as typeof document, { packed });
      const {
        markdown: ____,
        links: _____,
        ...whole
      } = resultOf(scrape) as Record<string, unknown>;
      expect(result).toEqual({ ...whole, ...made });
    },
  );

  it('reports where the fields of a listing were found only on request', () => {
    const listing = {
      name: 'Bakery',
      _confidence: 0.5,
      _provenance: { name: { layer: 'json-ld' } },
    };
    const page = { ...document, listing } as never;
    const { _provenance, ...shown } = listing;
    expect(resultOf({ listing: true }, page)).toMatchObject({ listing: shown });
    expect(resultOf({ listing: true }, page)).not.toHaveProperty('listing._provenance');
    expect(resultOf({ listing: true, listingProvenance: true }, page)).toMatchObject({ listing });
    expect(_provenance).toBeDefined();
  });

  it('is five fields of a PDF; another document says how it was fetched, too', () => {
    const file = { format: 'pdf', markdown: '# R', text: 'R', pages: 1 } as never;
    const page = { ...document, file };
    expect(resultOf({ formats: ['screenshot'], listing: true }, page)).toEqual({
      url: document.url,
      ok: true,
      isPdf: true,
      markdown: '# R',
      text: 'R',
    });
    const { statusCode, metadata, cascade, unblock } = resultOf({}) as Record<string, unknown>;
    const csv = { format: 'csv', markdown: '# R', text: 'R' } as never;
    expect(resultOf({}, { ...document, file: csv })).toEqual({
      ...{ url: document.url, ok: true, isPdf: false, format: 'csv', markdown: '# R', text: 'R' },
      ...{ statusCode, metadata, cascade, unblock },
    });
  });
});
