import { extractPage } from '@app/content';
import {
  DEFAULT_JOB_SCRAPE,
  NO_USAGE,
  type JobExtract,
  type JobScrape,
  type LlmOutput,
  type LlmRequest,
} from '@app/contracts';
import type { ResultDocument } from '../../results/result-document.js';
import { claimedPage } from '../../../test/claimed-page.js';
import type { PageTask } from '../../../../scrape/src/content/content-task.js';
import { type ModelReader, ThreadTimeoutError } from '@app/scrape';
import type { ModelPage } from '../../../../scrape/src/models/prompts.js';
import type { StoredDocument } from './stored-documents.js';
import { StoredPages } from './stored-pages.js';

const HTML = `<html><head><title>Neu</title></head><body><nav>Menu</nav>
<main><h1>Kettle</h1><p>Price: 34.5</p><a href="/more">more</a></main></body></html>`;
const STORED: ResultDocument = {
  url: 'http://site.example/docs/a',
  ok: true,
  statusCode: 200,
  rawHtml: HTML,
  markdown: '# Old',
  metadata: {
    title: 'Old',
    description: 'gone from the page since',
    sourceURL: 'http://site.example/docs/a?x',
    contentType: 'text/html; charset=koi8-r',
    fetchMethod: 'plain',
    latencyMs: 40,
    cached: false,
  },
  cascade: { level: 1, attempts: [] },
  unblock: { attempts: [] },
};
const ASK: LlmRequest = { modelClass: 'low', json: { schema: { type: 'object' } }, summary: false };
const USAGE = { ...NO_USAGE, model: 'low-model', calls: 1, costMicroUsd: 12, inputTokens: 9 };
const OUTPUT: LlmOutput = {
  json: { price: 34.5 },
  quotes: { '/price': { quote: '34.5' } },
  usage: USAGE,
};

interface Fixture {
  readonly stored?: StoredDocument;
  readonly scrape?: Partial<JobScrape>;
  readonly extract?: Partial<JobExtract>;
  readonly attempts?: number;
  readonly output?: LlmOutput;
  readonly isLate?: boolean;
}

describe('a stored page', () => {
  /** The ending, and the calls on the way. */
  async function work({
    stored = STORED,
    scrape,
    extract,
    attempts = 1,
    output = OUTPUT,
    isLate = false,
  }: Fixture) {
    const tasks: PageTask[] = [];
    const shown: ModelPage[] = [];
    const pages = new StoredPages({
      documents: { read: async () => ({ ok: true, document: stored }) },
      content: {
        run: async (task) => {
          tasks.push(task);
          if (isLate) throw new ThreadTimeoutError('deadline');
          const { options: content, outputs } = task;
          return { content: extractPage(task, { ...outputs, content }), found: [] };
        },
      },
      models: {
        read: async (_: LlmRequest, page: ModelPage) => {
          shown.push(page);
          return output;
        },
      } as unknown as ModelReader,
      llmBudgetMicroUsd: 1_000,
      llmTimeoutMs: 60_000,
      convertTimeoutMs: 60_000,
      maxAttempts: 3,
    });
    const page = claimedPage({
      jobType: 'extract',
      attempts,
      stored: { key: 'k', offset: 0, bytes: 1 },
      options: {
        scrape: { ...DEFAULT_JOB_SCRAPE, ...scrape },
        extract: { sourceJobId: 'j', storedForm: 'html', llm: null, ...extract },
      },
    });
    const ending = await pages.work(page, { signal: new AbortController().signal });
    const document = JSON.parse(String(ending?.document ?? null)) as Record<string, unknown> | null;
    return { ending, document, tasks, shown };
  }

  it('is made again from its source: facts of the page are new, facts of its fetch stay', async () => {
    const { ending, document } = await work({
      scrape: {
        formats: ['markdown', 'links', 'rawHtml'],
        content: { ...DEFAULT_JOB_SCRAPE.content, onlyMainContent: true },
      },
    });
    const { markdown: _, metadata, ...rest } = STORED;
    expect(document).toEqual({
      ...rest,
      markdown: expect.stringMatching(/^# Kettle\n/),
      links: ['http://site.example/more'],
      metadata: {
        title: 'Neu',
        sourceURL: metadata.sourceURL,
        contentType: metadata.contentType,
        fetchMethod: 'plain',
        latencyMs: 40,
        cached: false,
      },
    });
    expect(ending?.outcome).toMatchObject({
      ...{ state: 'scraped', statusCode: 200, credits: 0, costMicroUsd: 0, contentHash: null },
      ...{ rung: null, alias: null },
    });
    expect(ending?.found).toEqual([]);
  });

  it('is converted to Markdown again for the model, and costs a credit when it has data', async () => {
    const { ending, document, shown } = await work({
      scrape: { formats: [] },
      extract: { llm: JSON.stringify(ASK) },
    });
    expect(shown).toEqual([
      { url: STORED.url, title: 'Neu', markdown: expect.stringContaining('Price: 34.5') },
    ]);
    expect(document).toMatchObject({
      json: { price: 34.5 },
      _provenance: { '/price': { quote: '34.5' } },
      metadata: { llm: { model: 'low-model', costUsd: 0.000012, inputTokens: 9 } },
    });
    expect(document).not.toHaveProperty('markdown');
    expect(ending?.outcome).toMatchObject({ credits: 1, costMicroUsd: 12 });
    const blank = await work({
      extract: { llm: JSON.stringify(ASK) },
      output: { json: { price: null }, usage: USAGE },
    });
    expect(blank.ending?.outcome).toMatchObject({ state: 'scraped', credits: 0, costMicroUsd: 12 });
  });

  it('stored as Markdown is shown unchanged, and converted for a listing only', async () => {
    const markdown = { storedForm: 'markdown', llm: JSON.stringify(ASK) } as const;
    const read = await work({ extract: markdown });
    expect([read.tasks, read.shown]).toMatchObject([[], [{ markdown: '# Old', title: 'Old' }]]);
    expect(read.document).toMatchObject({ markdown: '# Old', metadata: STORED.metadata });
    const listed = await work({ extract: { storedForm: 'markdown' }, scrape: { listing: true } });
    expect(listed.tasks).toMatchObject([{ outputs: { listing: true }, isBackground: true }]);
    expect(listed.document).toMatchObject({ markdown: '# Old', listing: null });
  });

  it('that was a document keeps its five fields, and is read by its Markdown', async () => {
    const file = {
      url: STORED.url,
      ok: true,
      isPdf: true,
      markdown: '# Report',
      text: 'Report',
    } as const;
    const { document, tasks, shown } = await work({
      stored: file,
      scrape: { formats: ['links'], listing: true },
      extract: { llm: JSON.stringify(ASK) },
    });
    expect(tasks).toEqual([]);
    expect(shown).toEqual([{ url: STORED.url, markdown: '# Report' }]);
    expect(document).toEqual({
      ...file,
      json: OUTPUT.json,
      _provenance: OUTPUT.quotes,
      metadata: { llm: expect.any(Object) },
    });
  });

  it.each<[string, Partial<ResultDocument>, Partial<JobExtract>, object]>([
    ['of an earlier conversion is dropped', { partial_reason: 'no_match' }, {}, {}],
    [
      'of the fetch is kept',
      { partial_reason: 'body' },
      {},
      { partial: true, partial_reason: 'body' },
    ],
    [
      'of a conversion holds for the Markdown it left',
      { partial_reason: 'max_markdown_chars' },
      { storedForm: 'markdown' },
      { partial: true, partial_reason: 'max_markdown_chars' },
    ],
  ])('that is not whole: a reason %s', async (_, over, extract, wanted) => {
    const { document } = await work({ stored: { ...STORED, ...over, partial: true }, extract });
    const { partial, partial_reason } = document ?? {};
    expect(JSON.parse(JSON.stringify({ partial, partial_reason }))).toEqual(wanted);
  });

  it.each<[string, Fixture, object]>([
    ['a thread that was late', { isLate: true }, { state: 'pending', costMicroUsd: 0 }],
    [
      'the same for the last time',
      { isLate: true, attempts: 3 },
      { state: 'failed', reason: 'timeout' },
    ],
    [
      'a model that did not answer',
      { output: { problem: 'llm_failed', usage: USAGE } },
      { state: 'pending', costMicroUsd: 12 },
    ],
    [
      'the same for the last time',
      { attempts: 3, output: { problem: 'llm_timeout', usage: USAGE } },
      { state: 'failed', reason: 'llm_timeout', costMicroUsd: 12 },
    ],
    [
      'a schema that cannot be compiled',
      { output: { problem: 'llm_schema', usage: USAGE } },
      { state: 'failed', reason: 'llm_schema', credits: 0 },
    ],
    [
      'an answer that no other try makes better',
      { output: { problem: 'llm_invalid', usage: USAGE } },
      { state: 'failed', reason: 'llm_invalid', credits: 0, costMicroUsd: 12 },
    ],
    [
      'a page without the needed field',
      { stored: { ...STORED, rawHtml: undefined, markdown: undefined } },
      { state: 'failed', reason: 'source_unreadable' },
    ],
  ])('ends with its reason: %s', async (_, fixture, outcome) => {
    const { ending } = await work({ ...fixture, extract: { llm: JSON.stringify(ASK) } });
    expect(ending).toMatchObject({ outcome, document: null });
  });

  it('with a lost lease writes nothing', async () => {
    const pages = new StoredPages({
      documents: { read: async () => null },
    } as unknown as ConstructorParameters<typeof StoredPages>[0]);
    const page = claimedPage({
      jobType: 'extract',
      options: { extract: { sourceJobId: 'j', storedForm: 'html', llm: null } },
    });
    expect(await pages.work(page, { signal: AbortSignal.abort() })).toBeNull();
  });
});
