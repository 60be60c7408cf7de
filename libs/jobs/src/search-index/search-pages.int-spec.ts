import { newId } from '@app/contracts';
import { fullText } from '@app/content';
import { itInFull } from '../../../../test/setup/full-run.js';
import { FrontierFixture, linkTo } from '../../test/frontier-fixture.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { cancelJob } from '../frontier/end-leases.js';
import type { IndexedText } from './page-texts.js';
import {
  searchPages,
  SearchTimeoutError,
  type FoundPages,
  type PageSearch,
} from './search-pages.js';

interface Written {
  readonly title?: string;
  readonly language?: string;
  readonly markdown: string;
}

const PAGES: readonly Written[] = [
  { title: 'Home', markdown: 'All about gardens.' },
  { title: 'Apples', markdown: 'An apple a day.' },
  { title: 'Fruit', markdown: '## Apples\n\nThey grow on trees.' },
  { title: 'Trees', markdown: 'Oak trees grow no apples.' },
  { title: 'Growing', language: 'en', markdown: 'How the trees are growing.' },
  { title: 'Bäume', language: 'de-DE', markdown: 'Die Bäume wachsen im Garten.' },
  { title: 'Quotes', markdown: 'red green blue\n\nblue green red' },
];

describe('a search of stored pages', () => {
  let fixture: FrontierFixture;
  let jobId: string;

  beforeAll(async () => {
    fixture = await FrontierFixture.open();
    jobId = await indexed(PAGES);
  });
  afterAll(() => fixture.close());

  function textOf({ urlKey, fence, url }: ClaimedPage, page: Written): IndexedText {
    return { ...fullText(page.markdown, page), urlKey, fence, url };
  }

  /** A job that stored these pages, the first as its seed. */
  async function indexed(pages: readonly Written[]): Promise<string> {
    const id = await fixture.start({ pageLimit: 10_000, options: { index: true } });
    const [first = { markdown: '' }, ...more] = pages;
    const links = more.map((_, at) => linkTo(at + 1));
    const [seed] = await fixture.take(id);
    if (seed) await fixture.finish([seed], { links, texts: [textOf(seed, first)] });
    const rest = await fixture.take(id);
    const texts = rest.map((page, at) => textOf(page, more[at] ?? first));
    if (rest.length > 0) await fixture.finish(rest, { texts });
    return id;
  }

  const search = (query: string, over: Partial<PageSearch> = {}): Promise<FoundPages> =>
    searchPages(fixture.database, fixture.tenant.id, {
      ...{ jobId, query, limit: 10, after: null },
      ...over,
    });
  const titles = async (query: string, over: Partial<PageSearch> = {}): Promise<string[]> =>
    (await search(query, over)).pages.map(({ title }) => title);

  it('weighs titles more than headings, and headings more than text', async () => {
    expect(await titles('apples')).toEqual(['Apples', 'Fruit', 'Trees']);
  });

  it.each([
    ['all of the words', 'grow trees', ['Trees', 'Fruit', 'Growing']],
    ['either word', 'gardens or oak', ['Home', 'Trees']],
    ['a phrase', '"red green"', ['Quotes']],
    ['a phrase across lines', '"blue blue"', ['Quotes']],
    ['no phrase in another order', '"green apples"', []],
    ['pages without a word', 'apples -oak', ['Apples', 'Fruit']],
    ['pages that only lack a word', '-apples -trees -garten', ['Home', 'Quotes']],
    ['words by the rules of the language of the page', 'grows', ['Growing']],
    ['words by the rules of another language', 'Baum Gärten', ['Bäume']],
    ['no word', '?!', []],
    ['a word of no page', 'submarine', []],
    ['operators of tsquery as text', "apple & !( | :* <-> 'day", ['Apples']],
  ])('finds %s', async (_, query, expected) => {
    expect((await titles(query)).sort()).toEqual([...expected].sort());
  });

  it('shows address, number of the result, and plain text around the matches', async () => {
    const { total, pages } = await search('oak');
    expect(total).toBe(1);
    expect(pages).toMatchObject([
      {
        url: 'http://site.example/3',
        title: 'Trees',
        resultNo: 4,
        snippet: 'Oak trees grow no apples',
        highlights: [[0, 3]],
      },
    ]);
  });

  it('shows markup of a page as text, and marks of no page', async () => {
    const id = await indexed([
      { markdown: 'before\u0002forged\u0003 `<script>alert(1)</script>` needle &lt;b> 👍 needle' },
    ]);
    const [page] = (await search('needle', { jobId: id })).pages;
    const { snippet = '', highlights = [] } = page ?? {};
    expect(highlights.map(([start, end]) => snippet.slice(start, end))).toEqual([
      'needle',
      'needle',
    ]);
    expect(snippet).toContain('before forged');
    expect(snippet).not.toMatch(/[\u0002\u0003]/);
  });

  it('shows the part of a long page that has the words', async () => {
    const filler = 'nothing to see here\n\n'.repeat(2_000);
    const id = await indexed([{ markdown: `${filler}a rare needle in hay\n\n${filler}` }]);
    const [page] = (await search('needle hay', { jobId: id })).pages;
    expect(page?.snippet).toContain('rare needle in hay nothing');
  });

  it('is paged without gaps and repetitions, also while pages are added', async () => {
    const many = Array.from({ length: 23 }, (_, n) => ({
      title: `Page ${n}`,
      markdown: 'needle '.repeat((n % 4) + 1),
    }));
    const id = await indexed(many);
    const all = (await search('needle', { jobId: id, limit: 50 })).pages;
    expect(all).toHaveLength(23);
    const seen: string[] = [];
    let after: PageSearch['after'] = null;
    for (let page = 0; page < 5; page++) {
      const found: FoundPages = await search('needle', { jobId: id, limit: 5, after });
      expect([found.total, found.hasMore]).toEqual([23, page < 4]);
      seen.push(...found.pages.map(({ title }) => title));
      after = found.pages.at(-1) ?? null;
    }
    expect(seen).toEqual(all.map(({ title }) => title));
    expect(await search('needle', { jobId: id, after })).toEqual({
      total: 23,
      hasMore: false,
      pages: [],
    });
  });

  it('finds nothing in a job of another tenant, nor in another job', async () => {
    const query = { jobId, query: 'apples', limit: 10, after: null };
    expect((await searchPages(fixture.database, newId(), query)).pages).toEqual([]);
    const other = await indexed([{ markdown: 'pears' }]);
    expect(await titles('apples', { jobId: other })).toEqual([]);
    expect(await titles('apples', { jobId: newId() })).toEqual([]);
  });

  it('finds no page that was a copy or was taken over, and none twice', async () => {
    const id = await fixture.start({ options: { index: true } });
    const [copy, late] = await fixture.seeded(id, [linkTo(1), linkTo(2)]);
    if (!copy || !late) throw new Error('no pages');
    const texts = [copy, late].map((page) => textOf(page, { markdown: 'needle' }));
    const over = { contentHash: '0'.repeat(32) };
    const result = await fixture.finish([{ ...late, fence: 0 }, copy], { over, texts });
    expect([...result.scraped]).toEqual([copy.urlKey]);
    const found = await search('needle', { jobId: id });
    expect(found.pages.map(({ urlKey }) => urlKey)).toEqual([copy.urlKey]);
    await fixture.finish([late], { over, texts: texts.slice(1) });
    expect((await search('needle', { jobId: id })).total).toBe(1);
    // Its commit was not known to be one, so it is tried again.
    await fixture.finish([copy], { over, texts });
    expect((await search('needle', { jobId: id })).total).toBe(1);
  });

  it('keeps no text of a page that ends after its job', async () => {
    const id = await fixture.start({ options: { index: true } });
    const pages = await fixture.take(id);
    await cancelJob(fixture.database, fixture.tenant.id, id);
    const texts = pages.map((page) => textOf(page, { markdown: 'needle' }));
    expect(await fixture.finish(pages, { texts })).toMatchObject({ status: 'cancelled' });
    const text = 'SELECT count(*)::int AS n FROM page_texts WHERE job_id = $1';
    expect(await fixture.database.query({ name: 'spec texts', text }, [id])).toEqual([{ n: 0 }]);
  });

  it('scrapes a page whose text the database refuses, and indexes the others', async () => {
    const id = await fixture.start({ options: { index: true } });
    const [one, other] = await fixture.seeded(id, [linkTo(1), linkTo(2)]);
    if (!one || !other) throw new Error('no pages');
    const words = Array.from({ length: 200_000 }, (_, n) => n.toString(36));
    const tooLong = { ...textOf(one, { markdown: '' }), text: words.join(' ') };
    const result = await fixture.finish([one, other], {
      texts: [tooLong, textOf(other, { markdown: 'needle' })],
    });
    expect([result.scraped.size, result.unindexed]).toEqual([2, 1]);
    expect((await search('needle', { jobId: id })).total).toBe(1);
    const id2 = await fixture.start({ options: { index: true } });
    const pages = await fixture.take(id2);
    const nul = pages.map((page) => ({ ...textOf(page, { markdown: '' }), title: '\0' }));
    expect(await fixture.finish(pages, { texts: nul })).toMatchObject({ unindexed: 1 });
  });

  it.each<[string, (n: number) => string]>([
    ['different words', (n) => n.toString(36)],
    ['compounds', (n) => `${n.toString(36)}-${(n * 7).toString(36)}-${(n * 13).toString(36)}`],
    ['addresses', (n) => `https://${n.toString(36)}.example/${n}/a-b_c?d=${n}`],
    ['Chinese characters', (n) => String.fromCodePoint(0x4e00 + (n % 20_000))],
    ['letters that grow in lower case', (n) => 'İȺ'.repeat((n % 50) + 1)],
    ['words of the longest kind', (n) => 'é'.repeat(490) + String(n)],
  ])('indexes the longest text of %s', async (_, wordOf) => {
    const words = Array.from({ length: 400_000 }, (_, n) => wordOf(n)).join(' ');
    const id = await fixture.start({ options: { index: true } });
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    const text = textOf(seed, { title: 'needle', markdown: words });
    expect(await fixture.finish([seed], { texts: [text] })).toMatchObject({ unindexed: 0 });
    expect((await search('needle', { jobId: id })).total).toBe(1);
  });

  itInFull('ends after its time, and leaves the connection to others as it was', async () => {
    const id = await indexed([{ markdown: 'slow '.repeat(100) }]);
    await fixture.run(`CREATE FUNCTION slow_rank(tsvector, tsquery) RETURNS real LANGUAGE sql VOLATILE
                       AS $$ SELECT 1::real FROM pg_sleep(60) $$`);
    await fixture.run(`DO $$ BEGIN EXECUTE replace(pg_get_functiondef(
        'search_page_texts(uuid, text, integer, integer, real, uuid)'::regprocedure), 'ts_rank(', 'slow_rank('); END $$`);
    await expect(search('slow', { jobId: id })).rejects.toThrow(SearchTimeoutError);
    const timeout = await fixture.database.query<{ statement_timeout: string }>({
      name: 'spec timeout',
      text: 'SHOW statement_timeout',
    });
    expect(timeout).toEqual([{ statement_timeout: '1min' }]);
  });
});
