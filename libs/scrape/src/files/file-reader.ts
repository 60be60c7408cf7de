import { createHash } from 'node:crypto';
import { sniffFile, type FullText, type PageImage, type PictureOptions } from '@app/content';
import type {
  Chunk,
  Deadline,
  FileProblem,
  LlmUsage,
  PageOutputs,
  ParsedFile,
  PageDocument,
} from '@app/contracts';
import type { FoundLink } from '@app/crawl';
import type { CrawlContext } from '../content/crawl-context.js';
import type { ImageReading, ModelReader } from '../models/model-reader.js';
import { ThreadPool, ThreadTimeoutError } from '../threads/thread-pool.js';
import type { DeclaredFile, FileReadResult, ReadTask } from './file-task.js';
import type { FileSteps } from './file.worker.js';
import type { PageCache } from '../page-cache/page-cache.js';

/** Increment it when the same document must yield other text or chunks than before. */
const FILE_VERSION = 2;
/** Maximum number of pages of a scanned document for the vision model. */
const PICTURES: PictureOptions = { maxPages: 20, maxEdgePx: 1_600 };

/** CPU time for the text of a document; what was read until then is the result. */
const MAX_TEXT_CPU_MS = 15_000;
/** A document that hangs within a page, or in its pictures, is ended with its thread after this CPU time. */
const MAX_CPU_MS = 20_000;
/**
 * CPU time of a small document in any thread. If it takes more, it starts again as a large one: the thread kept for
 * short work is never held longer, whatever a few bytes claim to be.
 */
const SHORT_CPU_MS = 2_000;
/** A larger document counts as large at once. */
const LARGE_BYTES = 2 * 1024 ** 2;

/** Share of the time for the text; rendering pages and the vision model need the rest. */
const TEXT_PART = 0.7;

/** The outcome for a document file; the vision model's usage is reported on failure, too. */
export type FileOutcome =
  | {
      readonly ok: true;
      readonly file: ParsedFile;
      readonly found: readonly FoundLink[];
      readonly chunks?: readonly Chunk[];
      /** For a search index, if requested. */
      readonly text?: FullText;
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
  readonly outputs: PageOutputs;
  /** Address of the document. */
  readonly url: string;
  /** @default the bytes alone say what the document is */
  readonly hint?: DeclaredFile;
  /**
   * Owner of the document; its chunks are cached for that tenant by the hash of the bytes. Null: not cached.
   */
  readonly tenantId: string | null;
  /** Pages without text may be sent to the vision model. */
  readonly allowVision: boolean;
  readonly crawl: CrawlContext | null;
}

export interface FileReaderOptions {
  /** For long work; one more is kept for short work, and crawls have as many of their own. */
  readonly threads: number;
  readonly maxPages: number;
  /** Null: no model is configured. */
  readonly models: ModelReader | null;
  /** A vision model is configured. */
  readonly hasVision: boolean;
  readonly budgetMicroUsd: number;
  /** Null: disabled. */
  readonly cache: FileCache | null;
  /** Of one document. @default 20 s; 2 s until a small one counts as large */
  readonly cpu?: { readonly maxMs: number; readonly shortMs: number };
  /** The module that the threads run. @default file.worker.js */
  readonly module?: URL;
}

type FileThreads = ThreadPool<FileSteps>;

const BUSY = {
  ok: false,
  problem: 'busy',
  message: 'no thread was free in time to read it',
} as const;

/**
 * Document files as text, read in threads that are ended when they exceed their limits. Tenants take turns; one thread
 * is kept for short documents. Crawls have separate threads: many documents of a crawl delay no caller that waits
 * for a response.
 */
export class FileReader {
  private readonly interactive: FileThreads;
  private readonly crawls: FileThreads;
  private readonly cpu: { readonly maxMs: number; readonly shortMs: number };

  constructor(private readonly options: FileReaderOptions) {
    const { threads, module } = options;
    this.interactive = new ThreadPool({ kind: 'file', threads: threads + 1, module });
    this.crawls = new ThreadPool({ kind: 'file', threads, module, keepsOne: false });
    this.cpu = options.cpu ?? { maxMs: MAX_CPU_MS, shortMs: SHORT_CPU_MS };
  }

  /** Transfers `body`: the caller's copy is empty afterwards. */
  async read(body: Uint8Array, terms: FileReadTerms): Promise<FileOutcome> {
    const outcome = await this.readWhole(body, terms);
    const { passages, maxTokens } = terms.outputs;
    const areWanted = passages !== undefined || maxTokens !== undefined;
    return outcome.ok && areWanted ? this.withParts(outcome, terms) : outcome;
  }

  /** Copies in the cache are whole. */
  private async withParts(
    outcome: Extract<FileOutcome, { readonly ok: true }>,
    terms: FileReadTerms,
  ): Promise<FileOutcome> {
    const { markdown } = outcome.file;
    const limits = { ...terms, isLarge: markdown.length > LARGE_BYTES, maxCpuMs: this.cpu.maxMs };
    const task = { markdown, url: terms.url, wanted: terms.outputs };
    try {
      const { markdown: kept = markdown, ...parts } = await this.threadsOf(terms).run(
        'parts',
        task,
        limits,
      );
      return { ...outcome, file: { ...outcome.file, markdown: kept, ...parts } };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      const { usage } = outcome;
      return { ...BUSY, ...(usage ? { usage } : {}) };
    }
  }

  private async readWhole(body: Uint8Array, terms: FileReadTerms): Promise<FileOutcome> {
    const { cache } = this.options;
    const { tenantId, outputs } = terms;
    if (!cache || tenantId === null || !outputs.chunks) return this.readNow(body, terms);
    const slot = { tenantId, variant: this.variantOf(body, terms) };
    const kept = await cache.find(slot);
    if (kept) return { ok: true, found: [], ...kept };
    const outcome = await this.readNow(body, terms);
    if (outcome.ok && outcome.chunks) await cache.keep(slot, outcome.file, outcome.chunks);
    return outcome;
  }

  /** Identifies everything that affects the chunks of a document. */
  private variantOf(body: Uint8Array, { allowVision, hint, outputs }: FileReadTerms): string {
    const { maxPages, hasVision } = this.options;
    const { filePages = false, pageMarkers = false } = outputs;
    const format = sniffFile(body, hint) ?? JSON.stringify(hint);
    const shape = `${[FILE_VERSION, maxPages, allowVision && hasVision, format, filePages, pageMarkers].join(' ')} `;
    return createHash('sha256').update(shape).update(body).digest('hex');
  }

  private async readNow(body: Uint8Array, terms: FileReadTerms): Promise<FileOutcome> {
    const { models, hasVision, maxPages } = this.options;
    const pictures = terms.allowVision && models !== null && hasVision ? PICTURES : null;
    const { outputs, crawl, deadline, hint = {} } = terms;
    const bounds = { maxPages, maxCpuMs: MAX_TEXT_CPU_MS };
    const make = (bytes: Uint8Array): ReadTask => {
      const budgetMs = Math.max(1, deadline.remainingMs() * TEXT_PART);
      return { body: bytes, hint, ...bounds, budgetMs, outputs, pictures, crawl };
    };
    try {
      const { result, ...done } = await this.readInThread(body, make, terms);
      if (result.ok) return { ...done, ok: true, file: result.file };
      const { problem, message, pageImages, pages = 0 } = result;
      if (pageImages && models) return await this.readScan(models, { pageImages, pages }, terms);
      return { ok: false, problem, message };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      if (error.problem === 'busy') return BUSY;
      if (error.problem === 'work') return this.outOfCpu();
      const message = 'the document could not be read within its time and memory';
      return { ok: false, problem: 'too_large', message };
    }
  }

  /** @throws ThreadTimeoutError; its problem is `work` if the document took all its CPU time */
  private async readInThread(
    body: Uint8Array,
    make: (bytes: Uint8Array) => ReadTask,
    terms: FileReadTerms,
  ): Promise<FileReadResult> {
    const { maxMs, shortMs } = this.cpu;
    const threads = this.threadsOf(terms);
    const run = (bytes: () => Uint8Array, isLarge: boolean): Promise<FileReadResult> => {
      const limits = { ...terms, isLarge, maxCpuMs: isLarge ? maxMs : shortMs };
      return threads.run('read', () => make(bytes()), limits);
    };
    if (terms.crawl === null && body.byteLength <= LARGE_BYTES) {
      try {
        return await run(() => Uint8Array.from(body), false);
      } catch (error) {
        if (!(error instanceof ThreadTimeoutError) || error.problem !== 'work') throw error;
      }
    }
    return run(() => body, true);
  }

  private outOfCpu(): FileOutcome {
    const seconds = this.cpu.maxMs / 1_000;
    const message = `the document took more than the ${seconds} s of CPU time that one may take; it is charged as if it had been read. Split it, or print it to a new PDF`;
    return { ok: false, problem: 'max_cpu', message };
  }

  async close(): Promise<void> {
    await Promise.all([this.interactive.close(), this.crawls.close()]);
  }

  /** Reads the text from images of the pages. */
  private async readScan(
    models: ModelReader,
    scan: Scan,
    terms: FileReadTerms,
  ): Promise<FileOutcome> {
    const { budgetMicroUsd } = this.options;
    const seen = await models.readImages(scan.pageImages, { ...terms, budgetMicroUsd });
    if ('problem' in seen) {
      const message = `the pages are pictures, and reading them failed: ${seen.message}`;
      return { ok: false, problem: 'no_text', message, usage: seen.usage };
    }
    // Nothing was read: a success must have content.
    if (seen.markdown.trim() === '') {
      return { ok: false, problem: 'no_text', message: 'the pages are blank', usage: seen.usage };
    }
    const chunks = terms.outputs.chunks
      ? { chunks: await this.chunksOf(seen.markdown, terms) }
      : {};
    return {
      ok: true,
      file: scannedFile(scan, seen),
      found: [],
      usage: seen.usage,
      ...chunks,
    };
  }

  /** In a thread: counting the tokens of a document would block the event loop for a second. */
  private chunksOf(markdown: string, terms: FileReadTerms): Promise<readonly Chunk[]> {
    return this.threadsOf(terms).run('chunk', { markdown }, terms);
  }

  private threadsOf({ crawl }: FileReadTerms): FileThreads {
    return crawl === null ? this.interactive : this.crawls;
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

interface FileSlot {
  readonly tenantId: string;
  /** SHA-256 in hexadecimal of the bytes and of everything that affects the result. */
  readonly variant: string;
}

interface CachedFile {
  readonly file: ParsedFile;
  readonly chunks: readonly Chunk[];
}

/** Of any age: the same bytes yield the same text. */
const ANY_AGE = { maxAgeMs: Number.MAX_SAFE_INTEGER, minAgeMs: null };

/** Chunks of document files by the hash of their bytes, under the bounds of the page cache. */
export class FileCache {
  constructor(private readonly pages: PageCache) {}

  async find({ tenantId, variant }: FileSlot): Promise<CachedFile | null> {
    const copy = await this.pages.find(tenantId, variant, ANY_AGE);
    if (!copy) return null;
    const { file, chunks } = copy.document;
    return file && chunks ? { file, chunks } : null;
  }

  /** A result cut by time is not cached: the next attempt may read more. */
  async keep(slot: FileSlot, file: ParsedFile, chunks: readonly Chunk[]): Promise<void> {
    if (file.truncatedBy === 'time' || file.truncatedBy === 'unreadable_pages') return;
    const document = { ...SHELL, sourceUrl: `sha256:${slot.variant}`, file, chunks };
    await this.pages.store(slot.tenantId, slot.variant, document, {});
  }
}

/** The cache holds pages; of a document file only the extracted text is used. */
const SHELL: PageDocument = {
  url: '',
  sourceUrl: '',
  statusCode: 200,
  contentType: null,
  metadata: {},
  fetchMethod: 'plain',
  latencyMs: 0,
  cascade: { level: null, attempts: [], unblock: [] },
};
