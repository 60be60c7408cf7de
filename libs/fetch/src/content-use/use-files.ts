import { Deadline } from '@app/contracts';
import { BlockedUrlError, HttpFetchError, InvalidUrlError, type HttpClient } from '@app/egress';
import type { DeclaredUse } from '@app/uses';
import type { RobotsFailure } from '../robots/robots-cache.js';
import {
  leadsNowhere,
  SiteFileCache,
  type KeptFile,
  type SiteFileCall,
} from '../robots/site-file-cache.js';
import { LicenseFile } from './license-file.js';
import { TdmFile } from './tdm-file.js';

interface UseFilesOptions {
  readonly http: Pick<HttpClient, 'fetch'>;
  /** How long a failure counts. */
  readonly unreachableTtlMs: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/** What files of a site declare about a page, or why they could not be read. */
export type FileUse =
  | { readonly kind: 'read'; readonly declared: DeclaredUse | undefined }
  | { readonly kind: 'unreachable'; readonly failure: RobotsFailure };

type Declaring = Pick<TdmFile, 'bytes' | 'declaredUse'>;

interface Kept extends KeptFile {
  readonly file: Declaring | null;
  /** Null: it was read, or it is not there. */
  readonly failure: RobotsFailure | null;
}

const TTL_MS = 3_600_000;
const MAX_FILES = 10_000;
const MAX_TOTAL_BYTES = 67_108_864;
/** Real ones have some thousand. A longer one is cut; it is read on the event loop, in a few milliseconds. */
export const MAX_USE_FILE_BYTES = 262_144;
const FETCH_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;

/**
 * The files in which sites declare uses beside robots.txt: each is fetched once for all callers, through the egress
 * guard, and kept as long as robots.txt. A site may name any address as its licence: the same file read as another kind
 * is another entry.
 */
export class UseFiles {
  private readonly files: SiteFileCache<Kept>;
  private readonly now: () => number;

  constructor(private readonly options: UseFilesOptions) {
    this.now = options.now ?? Date.now;
    const bounds = { maxFiles: MAX_FILES, maxTotalBytes: MAX_TOTAL_BYTES };
    this.files = new SiteFileCache({ ...bounds, now: this.now });
  }

  /** One that cannot be fetched means that the site does not use TDMRep (its section 4.1). @throws HttpFetchError */
  async tdm(page: URL, call: SiteFileCall): Promise<DeclaredUse | undefined> {
    const url = `${page.origin}/.well-known/tdmrep.json`;
    const accept = 'application/json,*/*;q=0.5';
    const parse = (text: string): Declaring => TdmFile.parse(text, url);
    const load = () => this.load({ url, accept, parse });
    return (await this.files.get(`tdm ${url}`, load, call)).file?.declaredUse(page);
  }

  /**
   * The terms of an RSL document for a page. One that is not there, or is none, has no terms.
   * @param url absolute
   * @throws HttpFetchError when the caller's deadline or signal ends the wait
   */
  async license(url: string, page: URL, call: SiteFileCall): Promise<FileUse> {
    const accept = 'application/rsl+xml,application/xml;q=0.9,*/*;q=0.5';
    const parse = (text: string): Declaring => new LicenseFile(text, url);
    const load = () => this.load({ url, accept, parse });
    const { file, failure } = await this.files.get(`rsl ${url}`, load, call);
    if (failure !== null) return { kind: 'unreachable', failure };
    return { kind: 'read', declared: file?.declaredUse(page) };
  }

  private async load(source: UseFileSource): Promise<Kept> {
    const { file, failure } = await this.fetchFile(source).catch(keptFailure);
    const ttlMs = failure === null ? TTL_MS : this.options.unreachableTtlMs;
    return { file, failure, bytes: file?.bytes ?? 0, expiresAtMs: this.now() + ttlMs };
  }

  private async fetchFile({ url, accept, parse }: UseFileSource): Promise<FetchedFile> {
    const { status, body, truncation } = await this.options.http.fetch({
      url,
      headers: { accept },
      deadline: Deadline.after(FETCH_TIMEOUT_MS),
      maxBytes: MAX_USE_FILE_BYTES,
      maxRedirects: MAX_REDIRECTS,
    });
    if (status >= 500 || status === 429) return unreachable('http_error', status);
    if (status < 200 || status >= 300) return MISSING;
    // Of a file that broke off, the rules that are missing may be those that refuse.
    if (truncation !== null && truncation !== 'byte_cap') return unreachable('network', status);
    return { file: parse(Buffer.from(body).toString('utf8')), failure: null };
  }
}

interface UseFileSource {
  readonly url: string;
  readonly accept: string;
  readonly parse: (text: string) => Declaring;
}

type FetchedFile = Pick<Kept, 'file' | 'failure'>;

const MISSING: FetchedFile = { file: null, failure: null };

function unreachable(
  errorClass: RobotsFailure['errorClass'],
  statusCode: number | null,
): FetchedFile {
  return { file: null, failure: { errorClass, statusCode, hostCode: null } };
}

/** Where nothing may be fetched there is nothing to read: a site could otherwise close itself by such a URL. */
function keptFailure(error: unknown): FetchedFile {
  const isNowhere = error instanceof BlockedUrlError || error instanceof InvalidUrlError;
  if (isNowhere || leadsNowhere(error)) return MISSING;
  if (error instanceof HttpFetchError) return unreachable(error.errorClass, null);
  throw error;
}
