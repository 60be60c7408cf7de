import { createHash } from 'node:crypto';
import { chunkMarkdown, type PageImage, type PictureOptions } from '@app/content';
import type { Chunk, Deadline, FileProblem, LlmUsage, ParsedFile } from '@app/contracts';
import type { FoundLink } from '@app/store';
import type { CrawlContext } from '../content/content-task.js';
import type { ImageReading, ModelReader } from '../llm/model-reader.js';
import type { FileCache } from './file-cache.js';
import { ThreadPool, ThreadTimeoutError } from '../threads/thread-pool.js';
import type { FileTask, FileThreadResult } from './file-task.js';

const MAX_THREAD_HEAP_MB = 768;
/** Raise it when the same document is to give other text or chunks than before. */
const FILE_VERSION = 1;
/** Of a scanned document, for the vision model. */
const PICTURES: PictureOptions = { maxPages: 20, maxEdgePx: 1_600 };

/** Of the time, for the text; drawing pictures and asking about them need some as well. */
const TEXT_PART = 0.7;

/** What became of a document; what a vision model used is told either way. */
export type FileOutcome =
  | {
      readonly ok: true;
      readonly file: ParsedFile;
      readonly found: readonly FoundLink[];
      readonly chunks?: readonly Chunk[];
      readonly usage?: LlmUsage;
    }
  | {
      readonly ok: false;
      readonly problem: FileProblem;
      readonly message: string;
      readonly usage?: LlmUsage;
    };

export interface FileReadTerms {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly chunks: boolean;
  /** Whose document it is; its chunks are kept for that tenant by the hash of the bytes. Null: not kept. */
  readonly tenantId: string | null;
  /** The vision model may be asked about pages without text. */
  readonly mayLook: boolean;
  readonly crawl: CrawlContext | null;
}

export interface FileReaderOptions {
  readonly threads: number;
  readonly maxPages: number;
  /** Null: no model is configured. */
  readonly models: ModelReader | null;
  /** The models see pictures. */
  readonly hasVision: boolean;
  readonly budgetMicroUsd: number;
  /** Null: switched off. */
  readonly cache: FileCache | null;
}

/** PDF and DOCX as text, read in threads that are ended when they take too long. */
export class FileReader {
  private readonly pool: ThreadPool<FileTask, FileThreadResult>;

  constructor(private readonly options: FileReaderOptions) {
    this.pool = new ThreadPool({
      module: new URL('./file.worker.js', import.meta.url),
      maxThreads: options.threads,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
    });
  }

  /** Moves `body` away from the caller. */
  async read(body: Uint8Array, terms: FileReadTerms): Promise<FileOutcome> {
    const { cache } = this.options;
    const { tenantId, chunks } = terms;
    if (!cache || tenantId === null || !chunks) return this.readNow(body, terms);
    const slot = { tenantId, variant: this.variantOf(body, terms) };
    const kept = await cache.find(slot);
    if (kept) return { ok: true, found: [], ...kept };
    const outcome = await this.readNow(body, terms);
    if (outcome.ok && outcome.chunks) await cache.keep(slot, outcome.file, outcome.chunks);
    return outcome;
  }

  /** Names everything that shapes the chunks of a document. */
  private variantOf(body: Uint8Array, { mayLook }: FileReadTerms): string {
    const { maxPages, hasVision } = this.options;
    const shape = `${FILE_VERSION} ${maxPages} ${mayLook && hasVision} `;
    return createHash('sha256').update(shape).update(body).digest('hex');
  }

  private async readNow(body: Uint8Array, terms: FileReadTerms): Promise<FileOutcome> {
    const { models, hasVision, maxPages } = this.options;
    const pictures = terms.mayLook && models !== null && hasVision ? PICTURES : null;
    const { chunks, crawl, deadline } = terms;
    const budgetMs = Math.max(1, deadline.remainingMs() * TEXT_PART);
    try {
      const task = { body, maxPages, budgetMs, chunks, pictures, crawl };
      const { result, ...done } = await this.pool.run(task, deadline, terms.signal);
      if (result.ok) return { ...done, ok: true, file: result.file };
      const { problem, message, pageImages } = result;
      if (pageImages && models) return await this.look(models, pageImages, terms);
      return { ok: false, problem, message };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      const message = 'the document could not be read within its time and memory';
      return { ok: false, problem: 'too_large', message };
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  /** Reads the text off pictures of the pages. */
  private async look(
    models: ModelReader,
    pictures: readonly PageImage[],
    terms: FileReadTerms,
  ): Promise<FileOutcome> {
    const { budgetMicroUsd } = this.options;
    const seen = await models.readImages(pictures, { ...terms, budgetMicroUsd });
    if ('problem' in seen) {
      const message = `the pages are pictures, and reading them failed: ${seen.message}`;
      return { ok: false, problem: 'no_text', message, usage: seen.usage };
    }
    const chunks = terms.chunks ? { chunks: chunkMarkdown(seen.markdown) } : {};
    return {
      ok: true,
      file: scannedFile(pictures.length, seen),
      found: [],
      usage: seen.usage,
      ...chunks,
    };
  }
}

function scannedFile(pages: number, { markdown, missing }: ImageReading): ParsedFile {
  const cutBy = missing ? 'unreadable_pages' : pages === PICTURES.maxPages ? 'max_pages' : null;
  return {
    format: 'pdf',
    markdown,
    text: markdown,
    pages,
    isScanned: true,
    ...(cutBy ? { truncatedBy: cutBy } : {}),
  };
}
