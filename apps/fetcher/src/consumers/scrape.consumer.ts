import { DropTask, type Delivery } from '@app/broker';
import {
  Deadline,
  type CascadeReport,
  type FileProblem,
  type LlmUsage,
  type PageDocument,
  type PageOutputs,
  type ReplyEnvelope,
  type ScrapeReply,
  type ScrapeTask,
} from '@app/contracts';
import { eligibleRungs, lackOfBrowser, MISSING_BROWSER, type FetchRung } from '@app/fetch';
import { waitAtMost } from '@app/runtime';
import {
  type BrandReader,
  type ImageStore,
  servedCopy,
  type CachedPage,
  type PageCache,
  variantKey,
  type PageFetcher,
  type PageRequest,
  type PageResult,
  type UnreadFile,
  addUsage,
  outputsOf,
  readByModel,
  renderOf,
} from '@app/scrape';
import type { OpenProfiles, SealLogin } from '@app/profiles';
import type { Metrics } from '@app/telemetry';
import { fitReply, type FitReplyOptions } from './fit-reply.js';
import { withWantedParts, type PartsOptions } from './wanted-parts.js';

/** A repeated request to this fetcher always finds the copy, one to another fetcher nearly always. */
const MAX_STORE_WAIT_MS = 100;
/** For finding the parts of a page that a caller wants, and of the whole time at most. */
const PARTS_MS = 1_000;
const PARTS_SHARE = 0.1;

export interface ScrapeConsumerOptions extends FitReplyOptions, PartsOptions {
  readonly pages: PageFetcher;
  /** Null: disabled. */
  readonly cache: PageCache | null;
  readonly images: ImageStore;
  readonly metrics: Metrics;
  readonly rungs: readonly FetchRung[];
  readonly brands: Pick<BrandReader, 'branding'>;
  readonly sealLogin: OpenProfiles['sealLogin'];
}

type DoneResult = Extract<PageResult, { kind: 'document' }>;

const NO_LOGIN =
  'Login failed: after the actions the page still asks for a password. Check the texts and selectors, and wait for the page that follows';
const NO_COOKIE =
  'Login failed: the site has set no cookie that could be kept, or more than a profile may have';
/** No key opens it: to the API this fetcher is one with other keys. */
const UNSEALED: ScrapeReply = { kind: 'login', keyId: '', box: '' };

/** Handler of the `scrape` queue. Its result is the reply; a task of a dead fetcher is redelivered. */
export function scrapeHandler(options: ScrapeConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<ScrapeReply>> => {
    const task = parseScrapeTask(delivery.task);
    const reply = await new ScrapeRun(task, delivery.signal, options).reply();
    // Requeued, or the connection is lost: another fetcher replies.
    delivery.signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

/** One scrape: cache, then the page, then the cache again. */
class ScrapeRun {
  private readonly startedAt = performance.now();
  private readonly variant: string | null;
  private readonly outputs: PageOutputs;
  private readonly partsMs: number;
  /** Of a login; null: it cannot be saved. */
  private readonly seal: SealLogin | null | undefined;

  constructor(
    private readonly task: ScrapeTask,
    private readonly signal: AbortSignal,
    private readonly options: ScrapeConsumerOptions,
  ) {
    this.variant = options.cache ? variantKey(task) : null;
    this.outputs = outputsOf(task);
    const { tenantId, savesLogin: name, passages, maxTokens } = task;
    const isWhole = passages === undefined && maxTokens === undefined;
    const share = PARTS_SHARE * Deadline.at(task.deadlineAtMs).remainingMs();
    this.partsMs = isWhole ? 0 : Math.min(PARTS_MS, share);
    this.seal = name === undefined ? undefined : options.sealLogin({ tenantId, name });
  }

  async reply(): Promise<ScrapeReply> {
    // Before a password is sent to the site.
    if (this.seal === null) return UNSEALED;
    const reply = await this.wholeReply();
    return reply.kind === 'document'
      ? withWantedParts(reply.document, this.task, this.signal, this.options)
      : reply;
  }

  /** Copies are kept whole: another question to the same page finds them. */
  private async wholeReply(): Promise<ScrapeReply> {
    const copy = await this.findCopy();
    if (copy?.kind === 'fresh') return this.serveCopy(copy);
    if (this.task.minAgeMs !== null) return { kind: 'not_cached' };
    const request = this.pageRequest(copy);
    const rungs = eligibleRungs(this.options.rungs, {
      options: request.fetch,
      render: renderOf(request),
    });
    // A clear error, before any request to the site.
    if (rungs.every((rung) => rung === MISSING_BROWSER))
      return { kind: 'unavailable', isPermanent: true };
    const result = await this.options.pages.fetch(request);
    if (result.kind === 'not_modified' && copy) return this.renew(copy, result.report);
    return this.toReply(result);
  }

  private async findCopy(): Promise<CachedPage | null> {
    const { cache, metrics } = this.options;
    const { tenantId, maxAgeMs, minAgeMs } = this.task;
    if (!cache || this.variant === null || (maxAgeMs === 0 && minAgeMs === null)) {
      metrics.cacheRequests.inc({ result: 'bypass' });
      return null;
    }
    const copy = await cache.find(tenantId, this.variant, { maxAgeMs, minAgeMs });
    const result = copy === null ? 'miss' : copy.kind === 'fresh' ? 'hit' : 'stale';
    metrics.cacheRequests.inc({ result });
    return copy;
  }

  private serveCopy(copy: CachedPage, confirmation?: CascadeReport): ScrapeReply {
    const latencyMs = Math.round(performance.now() - this.startedAt);
    const cascade = confirmation ? { cascade: confirmation } : {};
    const document = {
      ...servedCopy(copy, { sourceUrl: this.task.url, latencyMs }),
      ...cascade,
    };
    return { kind: 'document', document };
  }

  /** The site confirmed that the copy is current. The requests are reported all the same. */
  private async renew(copy: CachedPage, confirmation: CascadeReport): Promise<ScrapeReply> {
    const { tenantId } = this.task;
    if (this.variant !== null)
      await this.options.cache?.touch(tenantId, this.variant, copy.copyId, copy.validators);
    return this.serveCopy({ ...copy, ageMs: 0 }, { ...confirmation, level: null });
  }

  private pageRequest(copy: CachedPage | null): PageRequest {
    const { task, outputs } = this;
    return {
      url: task.url,
      deadline: this.pageDeadline(),
      signal: this.signal,
      ignoreRobotsTxt: task.ignoreRobotsTxt,
      ...(task.respectUse === undefined ? {} : { respectUse: task.respectUse }),
      // Style sheets are linked in the source.
      outputs: { ...outputs, markdown: true, rawHtml: outputs.rawHtml || outputs.branding },
      allowVision: task.allowVision,
      tenantId: task.tenantId,
      plan: task.plan,
      fetch: task.fetch,
      content: task.content,
      render: {
        removeOverlays: task.content.onlyMainContent,
        cookies: [],
        contextKey: contextKey(task),
        ...(task.savesLogin === undefined ? {} : { keepsCookies: true }),
      },
      ...(copy ? { validators: copy.validators } : {}),
      onRetryAfter: 'wait',
      crawl: null,
    };
  }

  private async toReply(result: PageResult): Promise<ScrapeReply> {
    switch (result.kind) {
      case 'document':
        return this.seal
          ? this.login(this.seal, result)
          : { kind: 'document', document: await this.keep(result) };
      case 'failed': {
        const { problem, report, action, signals, file, statusCode, refusedUse } = result;
        const { isAuthExpired } = result;
        const lack = lackOfBrowser(signals);
        if (lack !== null) return lack;
        const failed = { kind: 'failed', problem, cascade: report } as const;
        return {
          ...failed,
          ...(statusCode === null ? {} : { statusCode }),
          ...(action ? { action } : {}),
          ...(refusedUse ? { refusedUse } : {}),
          ...(isAuthExpired ? { isAuthExpired } : {}),
          ...(file ? unread(file) : {}),
        };
      }
      case 'blocked':
        return { kind: 'blocked', url: result.url };
      case 'not_modified':
        throw new Error('304 without a conditional request');
    }
  }

  /** The cookies of a login leave this process encrypted. */
  private login(seal: SealLogin, { document, loggedIn }: DoneResult): ScrapeReply {
    const { cascade } = document;
    const failed = (problem: string) => ({ kind: 'failed', problem, cascade }) as const;
    if (!loggedIn || loggedIn.isAskedAgain) return failed(NO_LOGIN);
    const sealed = seal([this.task.url, document.url], loggedIn.cookies);
    if (sealed === null) return failed(NO_COOKIE);
    return { kind: 'login', keyId: sealed.keyId, box: sealed.box.toString('base64') };
  }

  private async keep(result: Extract<PageResult, { kind: 'document' }>): Promise<PageDocument> {
    const { tenantId } = this.task;
    const { cache, images } = this.options;
    const { screenshot } = result;
    const isPictured = screenshot !== null && result.document.file === undefined;
    const pictured: PageDocument = isPictured
      ? { ...result.document, screenshot: await images.keep(screenshot, this.task) }
      : result.document;
    const document = await this.readByModel(await this.withBranding(pictured));
    // Without an output no request can use the copy.
    const { formats, cleanHtml = false, passages } = this.task;
    const hasOutput = formats.length > 0 || cleanHtml || passages !== undefined;
    const isOfUse = hasOutput && !result.isNoStore;
    const isWhole = document.partialReason === undefined && isOfUse;
    if (cache && this.variant !== null && isWhole) {
      const stored = cache.store(tenantId, this.variant, document, result.validators);
      // An immediate repeat finds the copy; slow storage must not delay this reply.
      await waitAtMost(this.spareMs(), stored).catch(() => undefined);
    }
    return document;
  }

  /** Adds the linked style sheets to the page's own style. */
  private async withBranding(document: PageDocument): Promise<PageDocument> {
    if (!this.outputs.branding) return document;
    const { rawHtml: html, branding: own, ...rest } = document;
    const source = this.outputs.rawHtml && html !== undefined ? { rawHtml: html } : {};
    if (html === undefined || own === undefined || document.file !== undefined)
      return { ...rest, ...source, ...(own ? { branding: own } : {}) };
    const { tenantId } = this.task;
    const terms = { tenantId, deadline: this.pageDeadline(), signal: this.signal };
    const branding = await this.options.brands.branding({ html, url: document.url }, own, terms);
    return { ...rest, ...source, branding };
  }

  /** A page without the model's output is only part of the requested result. */
  private async readByModel(document: PageDocument): Promise<PageDocument> {
    const { llm: request, deadlineAtMs, tenantId } = this.task;
    if (request === null || document.partialReason === 'empty') return document;
    const { models, llmBudgetMicroUsd, llmTimeoutMs } = this.options;
    const budgetMicroUsd = llmBudgetMicroUsd - (document.llm?.usage.costMicroUsd ?? 0);
    const { markdown = '', url, metadata } = document;
    const source = { markdown, url, ...(metadata.title ? { title: metadata.title } : {}) };
    const deadline = Deadline.at(deadlineAtMs - this.partsMs).within(llmTimeoutMs);
    const terms = { deadline, budgetMicroUsd, signal: this.signal, tenantId };
    const output = await readByModel(models, request, source, terms);
    const llm = addUsage(output, document.llm?.usage);
    const { fallback: _, ...rest } = document;
    const reason = output.problem ?? output.cut;
    if (reason === undefined) return { ...document, llm };
    return { ...rest, llm, partialReason: document.partialReason ?? reason };
  }

  /** The time of the model, and that for the parts, is reserved from the fetch. */
  private pageDeadline(): Deadline {
    const { llm, passages, deadlineAtMs } = this.task;
    const isForModel = llm !== null || passages?.rerank !== undefined;
    const modelMs = isForModel ? this.options.llmTimeoutMs : 0;
    return Deadline.at(deadlineAtMs - modelMs - this.partsMs);
  }

  private spareMs(): number {
    return Math.min(MAX_STORE_WAIT_MS, Deadline.at(this.task.deadlineAtMs).remainingMs());
  }
}

/**
 * Scrapes of one tenant and host follow each other in one browser context: without secrets, actions or a place, which
 * might leave more in it than is cleared.
 */
function contextKey({ url, tenantId, fetch }: ScrapeTask): string | null {
  const { headers, cookies, profile, actions, country } = fetch;
  const isShared =
    Object.keys(headers).length === 0 &&
    cookies === null &&
    profile === undefined &&
    actions.length === 0 &&
    country === null;
  return isShared && URL.canParse(url) ? `scrapes ${tenantId} ${new URL(url).host}` : null;
}

function unread({ problem, usage }: UnreadFile): { file: FileProblem; usage?: LlmUsage } {
  return { file: problem, ...(usage ? { usage } : {}) };
}

/** The only place that turns a message into a task; a malformed one is dead-lettered. */
function parseScrapeTask(value: unknown): ScrapeTask {
  const task = value as Partial<ScrapeTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    Array.isArray(task.formats) &&
    typeof task.fetch === 'object' &&
    typeof task.content === 'object' &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a scrape task');
  return task as ScrapeTask;
}
