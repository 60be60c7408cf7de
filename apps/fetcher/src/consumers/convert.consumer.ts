import { BlobNotFoundError, BlobUnavailableError, type BlobStore } from '@app/blobs';
import { DropTask, RetryTask, type Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  type ConvertReply,
  type ConvertTask,
  type MarkdownParts,
  type ReplyEnvelope,
} from '@app/contracts';
import { findStoredPassages, type PassagesReply, type PassagesTask } from '@app/jobs';
import {
  type ContentPool,
  type ContentResult,
  paragraphs,
  type FileReader,
  type ModelReader,
  addUsage,
  readByModel,
  ThreadTimeoutError,
} from '@app/scrape';
import { fitReply, type FitReplyOptions } from './fit-reply.js';

export interface ConvertConsumerOptions extends FitReplyOptions {
  readonly blobs: BlobStore;
  readonly content: ContentPool;
  readonly files: FileReader;
  readonly models: ModelReader | null;
  readonly maxBytes: number;
  readonly budgetMicroUsd: number;
  /** Time reserved for the model, if one is used. */
  readonly llmTimeoutMs: number;
}

/**
 * Handler of the `convert` queue: converts uploaded content to a listing, Markdown, or data from a model, and finds the
 * passages of stored pages.
 */
export function convertHandler(options: ConvertConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<ConvertReply | PassagesReply>> => {
    const { signal } = delivery;
    const task = parseTask(delivery.task);
    const reply =
      'pages' in task
        ? await passages(task, signal, options)
        : await new Conversion(task, signal, options).reply();
    // Requeued, or the connection is lost: another fetcher replies.
    signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

const GONE = {
  kind: 'failed',
  problem: 'timeout',
  message: 'the upload was already deleted',
} as const;
const LATE = {
  kind: 'failed',
  problem: 'timeout',
  message: 'the conversion exceeded its time or memory limit',
} as const;

/** Of the time of a conversion whose Markdown is cut afterwards. */
const CUT_MS = 1_000;

const STORAGE_RETRY_MS = 500;

async function passages(
  task: PassagesTask,
  signal: AbortSignal,
  options: ConvertConsumerOptions,
): Promise<PassagesReply> {
  try {
    return await findStoredPassages(task, signal, options);
  } catch (cause) {
    if (!(cause instanceof BlobUnavailableError)) throw cause;
    throw new RetryTask(STORAGE_RETRY_MS, 'a stored page could not be read', { cause });
  }
}

class Conversion {
  constructor(
    private readonly task: ConvertTask,
    private readonly signal: AbortSignal,
    private readonly options: ConvertConsumerOptions,
  ) {}

  async reply(): Promise<ConvertReply> {
    const { source } = this.task;
    try {
      const body = await this.options.blobs.read(source.key, undefined, this.options.maxBytes);
      const bytes = Uint8Array.from(body);
      return source.kind === 'file' ? await this.readFile(bytes) : await this.readText(bytes);
    } catch (error) {
      // The client disconnected, and the upload was deleted with the request.
      if (error instanceof BlobNotFoundError) return GONE;
      if (error instanceof ThreadTimeoutError) return LATE;
      if (error instanceof BlobUnavailableError)
        throw new RetryTask(STORAGE_RETRY_MS, 'the upload could not be read', { cause: error });
      throw error;
    }
  }

  private async readFile(body: Uint8Array): Promise<ConvertReply> {
    const { chunks: isChunked, filePages = false, pageMarkers = false, source } = this.task;
    const { name, contentType } = source;
    const outcome = await this.options.files.read(body, {
      deadline: this.conversionDeadline(this.task.maxTokens === undefined ? 0 : CUT_MS),
      signal: this.signal,
      outputs: { chunks: isChunked, filePages, pageMarkers },
      hint: { name, contentType },
      url: this.task.source.url ?? '',
      tenantId: this.task.tenantId,
      allowVision: true,
      crawl: null,
    });
    if (!outcome.ok) {
      const { problem, message } = outcome;
      return {
        kind: 'failed',
        problem,
        message,
        ...(outcome.usage ? { usage: outcome.usage } : {}),
      };
    }
    const { file, chunks, usage } = outcome;
    const cut = await this.cut(file.markdown);
    if (cut === null) return { ...LATE, ...(usage ? { usage } : {}) };
    const llm = addUsage(await this.model(file.markdown, file.title, usage?.costMicroUsd), usage);
    return {
      kind: 'converted',
      markdown: file.markdown,
      file: { ...file, ...cut },
      ...(chunks ? { chunks } : {}),
      ...(llm ? { llm } : {}),
      ...(file.truncatedBy ? { truncatedBy: file.truncatedBy } : {}),
    };
  }

  /** Null: there was no time for it. */
  private async cut(markdown: string): Promise<MarkdownParts | null> {
    const { source, tenantId, maxTokens } = this.task;
    if (maxTokens === undefined) return {};
    const page = { markdown, url: source.url ?? '', language: undefined, wanted: { maxTokens } };
    const terms = { tenantId, deadline: this.conversionDeadline(), signal: this.signal };
    return this.options.content.parts(page, terms).catch((error: unknown) => {
      if (error instanceof ThreadTimeoutError) return null;
      throw error;
    });
  }

  private async readText(body: Uint8Array): Promise<ConvertReply> {
    const { source, listing } = this.task;
    const isMarkdown = source.kind === 'markdown';
    const text = isMarkdown ? Buffer.from(body).toString('utf8') : null;
    const { content } = await this.convert(text === null ? body : paragraphs(text));
    const markdown = text ?? content.markdown ?? '';
    const llm = await this.model(markdown, content.metadata.title);
    return {
      kind: 'converted',
      markdown,
      ...(listing ? { listing: content.listing ?? null } : {}),
      ...(llm ? { llm } : {}),
      ...(content.truncatedBy ? { truncatedBy: content.truncatedBy } : {}),
    };
  }

  private convert(body: Uint8Array): Promise<ContentResult> {
    const { source, listing } = this.task;
    const task = {
      body,
      contentType: 'text/html; charset=utf-8',
      url: source.url ?? 'about:blank',
      isCut: false,
      outputs: { markdown: source.kind === 'html', listing },
      options: DEFAULT_CONTENT_OPTIONS,
      tenantId: this.task.tenantId,
      crawl: null,
    };
    return this.options.content.run(task, this.conversionDeadline(), this.signal);
  }

  private async model(markdown: string, title: string | undefined, spentMicroUsd = 0) {
    const { llm, source, deadlineAtMs, tenantId } = this.task;
    const { models, llmTimeoutMs } = this.options;
    if (llm === null) return undefined;
    const budgetMicroUsd = this.options.budgetMicroUsd - spentMicroUsd;
    const page = { markdown, url: source.url ?? '', ...(title ? { title } : {}) };
    const deadline = Deadline.at(deadlineAtMs).within(llmTimeoutMs);
    const terms = { deadline, budgetMicroUsd, signal: this.signal, tenantId };
    return readByModel(models, llm, page, terms);
  }

  private conversionDeadline(reservedMs = 0): Deadline {
    const { llm, deadlineAtMs } = this.task;
    return Deadline.at(deadlineAtMs - (llm ? this.options.llmTimeoutMs : 0) - reservedMs);
  }
}

function parseTask(value: unknown): ConvertTask | PassagesTask {
  const task = value as (Partial<ConvertTask> & Partial<PassagesTask>) | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    (typeof task.source?.key === 'string' || Array.isArray(task.pages)) &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a convert task');
  return task as ConvertTask | PassagesTask;
}
