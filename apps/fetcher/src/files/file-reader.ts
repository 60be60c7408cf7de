import { createHash } from 'node:crypto';
import { chunkMarkdown, type PageImage, type PictureOptions } from '@app/content';
import type { Chunk, Deadline, FileProblem, LlmUsage, ParsedFile } from '@app/contracts';
import type { FoundLink } from '@app/store';
import type { CrawlContext } from '../content/crawl-context.js';
import type { ImageReading, ModelReader } from '../llm/model-reader.js';
import type { FileCache } from './file-cache.js';
import { Slots } from '../threads/slots.js';
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

/** Threads and how many may be asked of them at once: who waits, waits here, where it is seen. */
class Lane {
  private readonly slots: Slots;
  private readonly pool: ThreadPool<FileTask, FileThreadResult>;

  constructor(threads: number) {
    this.slots = new Slots(threads);
    this.pool = new ThreadPool({
      module: new URL('./file.worker.js', import.meta.url),
      maxThreads: threads,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
    });
  }

  /** Null: no thread was free in time. The task is made when its work begins. */
  async run(make: () => FileTask, terms: FileReadTerms): Promise<FileThreadResult | null> {
    const { deadline, signal } = terms;
    if (!(await this.slots.acquire(deadline, signal))) return null;
    try {
      return await this.pool.run(make(), deadline, signal);
    } finally {
      this.slots.release();
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

const BUSY = { ok: false, problem: 'busy', message: 'no thread was free to read it' } as const;

/**
 * PDF and DOCX as text, read in threads that are ended when they take too long. Crawls have threads of
 * their own: a flood of their documents delays nobody who waits for an answer.
 */
export class FileReader {
  private readonly interactive: Lane;
  private readonly crawls: Lane;

  constructor(private readonly options: FileReaderOptions) {
    this.interactive = new Lane(options.threads);
    this.crawls = new Lane(options.threads);
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
    const make = (): FileTask => {
      const budgetMs = Math.max(1, deadline.remainingMs() * TEXT_PART);
      return { body, maxPages, budgetMs, chunks, pictures, crawl };
    };
    try {
      const lane = crawl === null ? this.interactive : this.crawls;
      const ran = await lane.run(make, terms);
      if (ran === null) return BUSY;
      const { result, ...done } = ran;
      if (result.ok) return { ...done, ok: true, file: result.file };
      const { problem, message, pageImages, pages = 0 } = result;
      if (pageImages && models) return await this.look(models, { pageImages, pages }, terms);
      return { ok: false, problem, message };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      const message = 'the document could not be read within its time and memory';
      return { ok: false, problem: 'too_large', message };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.interactive.close(), this.crawls.close()]);
  }

  /** Reads the text off pictures of the pages. */
  private async look(models: ModelReader, scan: Scan, terms: FileReadTerms): Promise<FileOutcome> {
    const { budgetMicroUsd } = this.options;
    const seen = await models.readImages(scan.pageImages, { ...terms, budgetMicroUsd });
    if ('problem' in seen) {
      const message = `the pages are pictures, and reading them failed: ${seen.message}`;
      return { ok: false, problem: 'no_text', message, usage: seen.usage };
    }
    // Nothing was read: no success without content.
    if (seen.markdown.trim() === '') {
      return { ok: false, problem: 'no_text', message: 'the pages are blank', usage: seen.usage };
    }
    const chunks = terms.chunks ? { chunks: chunkMarkdown(seen.markdown) } : {};
    return {
      ok: true,
      file: scannedFile(scan, seen),
      found: [],
      usage: seen.usage,
      ...chunks,
    };
  }
}

interface Scan {
  readonly pageImages: readonly PageImage[];
  /** Of the document. */
  readonly pages: number;
}

function scannedFile({ pageImages, pages }: Scan, { markdown, missing }: ImageReading): ParsedFile {
  const isUndrawn = pageImages.length < Math.min(pages, PICTURES.maxPages);
  const cutBy = missing || isUndrawn ? 'unreadable_pages' : null;
  const truncatedBy = pages > PICTURES.maxPages ? 'max_pages' : cutBy;
  return {
    format: 'pdf',
    markdown,
    text: markdown,
    pages,
    isScanned: true,
    ...(truncatedBy ? { truncatedBy } : {}),
  };
}
