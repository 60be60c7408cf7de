import { judgePage, type Assessment, type FetchedPage, type Shortcoming } from '@app/fetch';
import { DEFAULT_CONTENT_OPTIONS, type Deadline } from '@app/contracts';
import { contentOfFile, sniffFile } from '@app/content';
import type { ContentPool } from '../content/content-pool.js';
import type { ContentResult } from '../content/content-task.js';
import type { FileOutcome, FileReader } from '../files/file-reader.js';
import type { PageRequest } from './page-result.js';
import { surroundingsOf } from '../tech/scan-input.js';
import { ThreadTimeoutError, type ThreadProblem } from '../threads/thread-pool.js';

/** What of a page is wanted. */
export type ConversionRequest = Pick<
  PageRequest,
  | 'markdown'
  | 'rawHtml'
  | 'links'
  | 'listing'
  | 'branding'
  | 'company'
  | 'scan'
  | 'chunks'
  | 'tenantId'
  | 'allowVision'
  | 'content'
  | 'crawl'
  | 'signal'
>;

const FACTS_ONLY: ConversionRequest = {
  markdown: false,
  rawHtml: false,
  links: false,
  listing: false,
  branding: false,
  chunks: false,
  content: DEFAULT_CONTENT_OPTIONS,
  crawl: null,
};

/** What a page turned into: its content, or null when the conversion did not end in time. */
export type Assessed = ContentResult | null;

/** Where conversion happens. */
export interface Converters {
  readonly content: ContentPool;
  readonly files: FileReader;
}

/** Converts a page, or the document that came instead of one, and judges whether it is complete. */
export async function assessPage(
  converters: Converters,
  page: FetchedPage,
  request: ConversionRequest,
  deadlines: { readonly share: Deadline; readonly whole: Deadline },
): Promise<Assessment<Assessed>> {
  if (page.statusCode < 400 && isFile(page)) {
    return assessFile(converters.files, page, request, deadlines.whole);
  }
  const deadline = isAllThereIs(page) ? deadlines.whole : deadlines.share;
  return assessHtml(converters.content, page, request, deadline);
}

/** The time for the body ran out: no other rung of ours asks again, so none needs the time that is left. */
function isAllThereIs({ isUnsettled, isRendered }: FetchedPage): boolean {
  return isUnsettled === true && !isRendered;
}

const CUT_PROBLEMS: ReadonlySet<string> = new Set(['malformed', 'unknown_kind']);
const ZIP_START = [0x50, 0x4b, 0x03, 0x04];

/** Of an archive that was cut, the directory that names its kind is gone. */
function isFile({ body, isCut }: FetchedPage): boolean {
  if (sniffFile(body) !== null) return true;
  return isCut && ZIP_START.every((byte, index) => body[index] === byte);
}

/**
 * Whatever the rung, the bytes are the same: no other one would read more in them, so the document
 * has all the time that is left.
 */
async function assessFile(
  files: FileReader,
  page: FetchedPage,
  { signal, chunks, crawl, tenantId, allowVision = false }: ConversionRequest,
  deadline: Deadline,
): Promise<Assessment<Assessed>> {
  const owner = { tenantId: tenantId ?? null };
  const terms = { ...owner, deadline, chunks, crawl, allowVision, ...(signal ? { signal } : {}) };
  const file = withCut(await files.read(page.body, terms), page.isCut);
  const found = file.ok ? file.found : [];
  const content = { content: contentOfFile(file.ok ? file.file : null), found, file };
  return { content, shortcoming: shortcomingOfFile(file), signals: [], isFinal: true };
}

/** That no thread was free says nothing of the document: a crawl tries again. */
function shortcomingOfFile(file: FileOutcome): Shortcoming | null {
  if (file.ok) return null;
  return file.problem === 'busy' ? 'timeout' : 'parse_error';
}

const TOO_LARGE = {
  ok: false,
  problem: 'too_large',
  message: 'the document is larger than what is read of one address (FETCH_MAX_BYTES)',
} as const;

/** A part of a document may well be readable; when it is not, that is no damage. */
function withCut(outcome: FileOutcome, isCut: boolean): FileOutcome {
  if (!isCut) return outcome;
  if (!outcome.ok) return CUT_PROBLEMS.has(outcome.problem) ? TOO_LARGE : outcome;
  return { ...outcome, file: { ...outcome.file, truncatedBy: 'body' } };
}

async function assessHtml(
  pool: ContentPool,
  page: FetchedPage,
  request: ConversionRequest,
  deadline: Deadline,
): Promise<Assessment<Assessed>> {
  const content = await convert(pool, page, request, deadline);
  if (content instanceof ThreadTimeoutError) return unconverted(content);
  const { kind, facts } = content.content;
  if (kind === 'binary') return { content, shortcoming: 'parse_error', signals: [], isFinal: true };
  const verdict = judgePage({
    statusCode: page.statusCode,
    headers: page.headers,
    url: page.url,
    facts,
    isRendered: page.isRendered,
    bytes: page.bytes,
  });
  const shortcoming = shortcomingOf(page, verdict.kind);
  const isFinal = shortcoming === 'empty' && !mayFill(page, facts);
  return { content, shortcoming, signals: verdict.signals, isFinal };
}

async function convert(
  pool: ContentPool,
  page: FetchedPage,
  request: ConversionRequest,
  deadline: Deadline,
): Promise<ContentResult | ThreadTimeoutError> {
  try {
    return await pool.run(
      {
        body: page.body,
        contentType: page.contentType,
        url: page.url,
        isCut: page.isCut,
        markdown: request.markdown,
        rawHtml: request.rawHtml,
        links: request.links,
        listing: request.listing,
        branding: request.branding,
        ...(request.company ? { company: true } : {}),
        ...(request.scan ? { scan: surroundingsOf(page) } : {}),
        options: request.content,
        tenantId: request.tenantId ?? null,
        crawl: request.crawl,
      },
      deadline,
    );
  } catch (error) {
    if (error instanceof ThreadTimeoutError) return error;
    throw error;
  }
}

/** A page that cannot be converted whatever time there is; another rung would bring the same page. */
const UNCONVERTIBLE: Partial<Record<ThreadProblem, string>> = {
  work: 'Fetch failed: the page came, but converting it hung and was ended (CONTENT_CPU_MS)',
  memory: 'Fetch failed: the page came, but converting it needed more memory than one page may',
};

function unconverted({ problem }: ThreadTimeoutError): Assessment<Assessed> {
  const text = UNCONVERTIBLE[problem];
  const common = { content: null, signals: ['conversion'] };
  if (text === undefined) return { ...common, shortcoming: 'timeout' };
  return { ...common, shortcoming: 'parse_error', isFinal: true, problem: text };
}

function shortcomingOf(
  page: FetchedPage,
  verdict: ReturnType<typeof judgePage>['kind'],
): Shortcoming | null {
  if (verdict === 'blocked') return 'blocked';
  if (page.statusCode >= 400) return 'http_error';
  // The time ended with a part of the page read.
  if (page.isCut && page.isUnsettled) return 'timeout';
  return verdict === 'complete' ? null : verdict;
}

/** Whether a browser might find more in an empty page than its source holds. */
function mayFill(
  { statusCode, headers }: FetchedPage,
  facts: ContentResult['content']['facts'],
): boolean {
  if (statusCode === 204 || statusCode === 205) return false;
  if (headers['refresh'] !== undefined) return true;
  return facts.scripts > 0 || facts.frameSrcs.length > 0 || facts.metaRefresh !== null;
}

/**
 * Whether a page is a bot wall, for a rung that has more than one way to fetch. Works on a copy: the
 * page itself may still be served.
 */
export async function isWall(
  pool: ContentPool,
  page: FetchedPage,
  deadline: Deadline,
): Promise<boolean> {
  const copy = { ...page, body: Uint8Array.from(page.body) };
  const assessment = await assessHtml(pool, copy, FACTS_ONLY, deadline);
  return assessment.shortcoming === 'blocked';
}
