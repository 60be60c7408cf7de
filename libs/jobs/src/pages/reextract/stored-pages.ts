import { hasData } from '@app/content';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  type ErrorClass,
  type LlmOutput,
  type LlmProblem,
  type LlmRequest,
  type StoredForm,
  type StoredProblem,
} from '@app/contracts';
import { retryDelayMs } from '@app/crawl';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import type { PageOutcome } from '../../frontier/page-outcome.js';
import {
  type ContentPool,
  type ContentResult,
  type PageTask,
  outputsOf,
  paragraphs,
  type ModelReader,
  readByModel,
  ThreadTimeoutError,
} from '@app/scrape';
import { ending, faulty, type PageEnding } from '../page-ending.js';
import { isFile, reextractedResult, type MadeOfPage } from './reextracted-result.js';
import type { StoredDocument, StoredDocuments } from './stored-documents.js';

export interface StoredPagesOptions {
  readonly documents: Pick<StoredDocuments, 'read'>;
  readonly content: Pick<ContentPool, 'run'>;
  /** Null: none is configured. */
  readonly models: ModelReader | null;
  /** Most that models may cost one page. */
  readonly llmBudgetMicroUsd: number;
  readonly llmTimeoutMs: number;
  readonly convertTimeoutMs: number;
  /** Counts claims. */
  readonly maxAttempts: number;
}

/**
 * As POST /v1/extract with a schema. Without a model it is free (specification: Credit cost per
 * call).
 */
const CREDITS_WITH_DATA = 1;

type Reason = StoredProblem | LlmProblem | Extract<ErrorClass, 'timeout'>;

/** Failures that may pass: a busy thread, a model that did not answer. */
const PASSING: ReadonlySet<Reason> = new Set(['timeout', 'llm_failed', 'llm_timeout']);

/** Pages of jobs of type `extract`: made from stored documents. The only requests go to a model. */
export class StoredPages {
  constructor(private readonly options: StoredPagesOptions) {}

  /** Null when the lease was lost on the way. */
  async work(
    page: ClaimedPage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<PageEnding | null> {
    const { extract } = page.options;
    if (!extract) return faulty(page);
    const startedAt = performance.now();
    const read = await this.options.documents.read(page, signal);
    if (read === null) return null;
    if (!read.ok) return this.failed(page, read.problem, 0);
    const source = sourceOf(read.document, extract.storedForm);
    if (source === null) return this.failed(page, 'source_unreadable', 0);
    const made = await this.make(page, source, signal);
    if (signal.aborted) return null;
    if (made === null) return this.failed(page, 'timeout', 0);
    const problem = made.llm?.problem;
    if (problem !== undefined) return this.failed(page, problem, costOf(made));
    const latencyMs = Math.round(performance.now() - startedAt);
    return scraped(page, source.document, made, latencyMs);
  }

  /** Null when the conversion did not end within its time and memory. */
  private async make(
    page: ClaimedPage,
    source: Source,
    signal: AbortSignal,
  ): Promise<MadeOfPage | null> {
    const request = llmRequest(page);
    const converted = await this.convert(contentTask(page, source, request !== null), signal);
    if (converted === 'late') return null;
    const isFromSource = source.kind === 'html';
    const content = converted?.content ?? null;
    const markdown = isFromSource ? (content?.markdown ?? '') : source.text;
    const made = { content, isFromSource, markdown };
    if (request === null || signal.aborted) return made;
    const title = content?.metadata.title ?? titleOf(source.document);
    const { models, llmTimeoutMs, llmBudgetMicroUsd: budgetMicroUsd } = this.options;
    const shown = { markdown, url: source.document.url, ...(title ? { title } : {}) };
    const { tenantId } = page;
    const deadline = Deadline.after(llmTimeoutMs);
    const terms = { deadline, budgetMicroUsd, signal, tenantId };
    return { ...made, llm: await readByModel(models, request, shown, terms) };
  }

  /** Null: the formats need no conversion. */
  private async convert(
    task: PageTask | null,
    signal: AbortSignal,
  ): Promise<ContentResult | 'late' | null> {
    if (task === null) return null;
    const deadline = Deadline.after(this.options.convertTimeoutMs);
    try {
      return await this.options.content.run(task, deadline, signal);
    } catch (error) {
      if (error instanceof ThreadTimeoutError) return 'late';
      throw error;
    }
  }

  private failed(page: ClaimedPage, reason: Reason, costMicroUsd: number): PageEnding {
    if (PASSING.has(reason) && page.attempts < this.options.maxAttempts) {
      const retryInMs = retryDelayMs(page.attempts, null);
      return ended(page, { state: 'pending', reason: null }, { costMicroUsd, retryInMs });
    }
    return ended(page, { state: 'failed', reason }, { costMicroUsd });
  }
}

/** The field of a stored page to read. */
interface Source {
  readonly document: StoredDocument;
  readonly kind: StoredForm;
  readonly text: string;
}

/** Of a document file there is its Markdown, whatever the job kept of pages. Null: the page lacks both. */
function sourceOf(document: StoredDocument, form: StoredForm): Source | null {
  if (!isFile(document) && form === 'html' && typeof document.rawHtml === 'string')
    return { document, kind: 'html', text: document.rawHtml };
  if (typeof document.markdown !== 'string') return null;
  return { document, kind: 'markdown', text: document.markdown };
}

function contentTask(
  { tenantId, options: { scrape } }: ClaimedPage,
  { document, kind, text }: Source,
  isForModel: boolean,
): PageTask | null {
  const { listing, content } = scrape;
  const common = {
    url: document.url,
    isCut: false,
    tenantId,
    crawl: null,
    isBackground: true,
  };
  if (kind === 'html') {
    const outputs = outputsOf(scrape);
    return {
      ...common,
      body: new TextEncoder().encode(text),
      contentType: `${mediaTypeOf(document)}; charset=utf-8`,
      // The source is stored already.
      outputs: { ...outputs, markdown: isForModel || outputs.markdown, rawHtml: false },
      options: content,
    };
  }
  // Only a listing is still to be found in it.
  if (!listing || isFile(document)) return null;
  const body = paragraphs(text);
  const contentType = 'text/html; charset=utf-8';
  return {
    ...common,
    ...{ body, contentType, outputs: { listing }, options: DEFAULT_CONTENT_OPTIONS },
  };
}

const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/;

/** As the server named it. The charset is that of our text, whatever it was. */
function mediaTypeOf(document: StoredDocument): string {
  const named = isFile(document) ? undefined : document.metadata.contentType;
  return MEDIA_TYPE.exec(named ?? '')?.[0] ?? 'text/html';
}

function titleOf(document: StoredDocument): string | undefined {
  return isFile(document) ? undefined : document.metadata.title;
}

/** Written by ourselves. */
function llmRequest({ options: { extract } }: ClaimedPage): LlmRequest | null {
  return extract?.llm == null ? null : (JSON.parse(extract.llm) as LlmRequest);
}

function costOf({ llm }: MadeOfPage): number {
  return llm?.usage.costMicroUsd ?? 0;
}

function creditsOf(llm: LlmOutput | undefined): number {
  return hasData(llm?.json) || hasData(llm?.summary) ? CREDITS_WITH_DATA : 0;
}

function scraped(
  page: ClaimedPage,
  document: StoredDocument,
  made: MadeOfPage,
  latencyMs: number,
): PageEnding {
  const statusCode = isFile(document) ? null : document.statusCode;
  const detail = { statusCode, latencyMs, credits: creditsOf(made.llm) };
  const end = ended(
    page,
    { state: 'scraped', reason: null },
    { ...detail, costMicroUsd: costOf(made) },
  );
  return { ...end, document: reextractedResult(page, document, made) };
}

type Detail = Partial<
  Pick<PageOutcome, 'statusCode' | 'latencyMs' | 'credits' | 'costMicroUsd' | 'retryInMs'>
>;

/** No host has anything to do with it. */
function ended(
  page: ClaimedPage,
  end: Pick<PageOutcome, 'state' | 'reason'>,
  { costMicroUsd = 0, ...detail }: Detail,
): PageEnding {
  const one = ending(page, end, { ...detail, signal: { kind: 'silent' } });
  return { ...one, outcome: { ...one.outcome, costMicroUsd } };
}
