import { BlobNotFoundError, BlobUnavailableError, type BlobStore } from '@app/blobs';
import { DropTask, RetryTask, type Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  type ConvertReply,
  type ConvertTask,
  type ReplyEnvelope,
} from '@app/contracts';
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

/** Handler of the `convert` queue: converts uploaded content to a listing, Markdown, or data from a model. */
export function convertHandler(options: ConvertConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<ConvertReply>> => {
    const task = parseConvertTask(delivery.task);
    const reply = await new Conversion(task, delivery.signal, options).reply();
    // Requeued, or the connection is lost: another fetcher replies.
    delivery.signal.throwIfAborted();
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

const STORAGE_RETRY_MS = 500;

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
    const outcome = await this.options.files.read(body, {
      deadline: this.conversionDeadline(),
      signal: this.signal,
      outputs: { chunks: this.task.chunks },
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
    const llm = addUsage(await this.model(file.markdown, file.title, usage?.costMicroUsd), usage);
    return {
      kind: 'converted',
      markdown: file.markdown,
      file,
      ...(chunks ? { chunks } : {}),
      ...(llm ? { llm } : {}),
      ...(file.truncatedBy ? { truncatedBy: file.truncatedBy } : {}),
    };
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

  private conversionDeadline(): Deadline {
    const { llm, deadlineAtMs } = this.task;
    return Deadline.at(deadlineAtMs - (llm ? this.options.llmTimeoutMs : 0));
  }
}

function parseConvertTask(value: unknown): ConvertTask {
  const task = value as Partial<ConvertTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.source?.key === 'string' &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a convert task');
  return task as ConvertTask;
}
