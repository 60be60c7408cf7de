import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { BlobNotFoundError, BlobUnavailableError, type BlobStore } from '@app/blobs';
import type { StoredProblem } from '@app/contracts';
import type { ResultDocument, ResultFile } from '../../results/result-document.js';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import type { SegmentRange } from '../../frontier/page-outcome.js';
import type { Logger } from '@app/telemetry';
import { waitUnlessAborted } from '@app/scrape';

const decompress = promisify(zstdDecompress);

/** Fetchers write far smaller frames; one that claims more is damaged. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/** One page in the form in which it was stored. */
export type StoredDocument = ResultDocument | ResultFile;

export type ReadDocument =
  | { readonly ok: true; readonly document: StoredDocument }
  | { readonly ok: false; readonly problem: StoredProblem };

/** Reads the stored pages of jobs. */
export class StoredDocuments {
  constructor(
    private readonly blobs: Pick<BlobStore, 'read'>,
    private readonly log: Logger,
  ) {}

  /**
   * The document that a page of a re-extraction reads; null when the signal ended the wait. While
   * storage is unavailable it keeps trying, like the result writer: the queue stops delivering
   * meanwhile.
   */
  async read(
    { tenantId, stored }: Pick<ClaimedPage, 'tenantId' | 'stored'>,
    signal: AbortSignal,
  ): Promise<ReadDocument | null> {
    // Regardless of the row: a tenant reads only blobs under its own name.
    if (!stored?.key.startsWith(`jobs/${tenantId}/`)) return UNREADABLE;
    let delayMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        return await documentOf(await this.frame(stored));
      } catch (err) {
        if (err instanceof BlobNotFoundError) return EXPIRED;
        if (!(err instanceof BlobUnavailableError)) throw err;
        this.log.warn({ err }, 'a stored page could not be read, trying again');
      }
      await waitUnlessAborted(delayMs, signal);
      delayMs = Math.min(MAX_RETRY_MS, delayMs * 2);
    }
    return null;
  }

  private frame({ key, offset, bytes }: SegmentRange): Promise<Buffer> {
    return this.blobs.read(key, { offset, length: bytes }, bytes);
  }
}

const EXPIRED: ReadDocument = { ok: false, problem: 'source_expired' };
const UNREADABLE: ReadDocument = { ok: false, problem: 'source_unreadable' };

async function documentOf(frame: Buffer): Promise<ReadDocument> {
  try {
    const json = await decompress(frame, { maxOutputLength: MAX_DOCUMENT_BYTES });
    // Written by ourselves, in the form of `crawlResult`.
    const document = JSON.parse(json.toString('utf8')) as Partial<StoredDocument> | null;
    if (typeof document?.url !== 'string' || !URL.canParse(document.url)) return UNREADABLE;
    return { ok: true, document: document as StoredDocument };
  } catch {
    // Neither a whole frame nor a whole document: it is damaged, and stays so.
    return UNREADABLE;
  }
}
