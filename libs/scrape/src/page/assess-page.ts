import type { AssessedPage, FetchedPage, Shortcoming } from '@app/fetch';
import { DEFAULT_CONTENT_OPTIONS, type Deadline } from '@app/contracts';
import { contentOfFile, isMarkdownType, sniffFile, type Verdict } from '@app/content';
import type { ContentPool } from '../content/content-pool.js';
import type { ContentResult, PageVerdict } from '../content/content-task.js';
import { contentKeyOf } from '../content/pack-content.js';
import { crawlAt } from '../content/scope-of.js';
import type { FileOutcome, FileReader } from '../files/file-reader.js';
import type { DeclaredFile } from '../files/file-task.js';
import type { PageRequest } from './page-result.js';
import { surroundingsOf } from '../tech/scan-input.js';
import { ThreadTimeoutError, type ThreadProblem } from '../threads/thread-pool.js';

/** What of the request of a page concerns its content. */
interface ContentTerms extends Pick<
  PageRequest,
  'outputs' | 'content' | 'crawl' | 'tenantId' | 'allowVision' | 'signal'
> {
  /** Rendering pages of this kind is known to add nothing. @default false */
  readonly isKnownWhole?: boolean;
}

const FACTS_ONLY: ContentTerms = { outputs: {}, content: DEFAULT_CONTENT_OPTIONS, crawl: null };

/** Where conversion happens. */
export interface Converters {
  readonly content: ContentPool;
  readonly files: FileReader;
}

/**
 * Converts a page, or the document file received instead, and decides whether it is complete. Its content is null if
 * the conversion did not end in time.
 */
export async function assessPage(
  converters: Converters,
  page: FetchedPage,
  request: ContentTerms,
  deadlines: { readonly share: Deadline; readonly whole: Deadline },
): Promise<AssessedPage<ContentResult | null>> {
  const terms = { ...request, crawl: request.crawl && crawlAt(request.crawl, page.url) };
  if (page.statusCode < 400 && isFile(page)) {
    return assessFile(converters.files, page, terms, deadlines.whole);
  }
  const deadline = isFinalFetch(page) ? deadlines.whole : deadlines.share;
  return assessHtml(converters.content, page, terms, deadline);
}

/** The time for the body ran out: no other rung is tried, so none needs the remaining time. */
function isFinalFetch({ isUnsettled, isRendered }: FetchedPage): boolean {
  return isUnsettled === true && !isRendered;
}

const CUT_PROBLEMS: ReadonlySet<string> = new Set(['malformed', 'unknown_kind']);
const ZIP_START = [0x50, 0x4b, 0x03, 0x04];

/** The end of an archive, cut off here, has the directory that identifies its kind. */
function isFile(page: FetchedPage): boolean {
  const { body, isCut } = page;
  if (sniffFile(body, hintOf(page)) !== null) return true;
  return isCut && ZIP_START.every((byte, index) => body[index] === byte);
}

/** A rendered page is a page: the browser made it of a text. */
function hintOf({ contentType, url, isRendered }: FetchedPage): DeclaredFile {
  return isRendered ? {} : { contentType, name: URL.parse(url)?.pathname };
}

/**
 * The bytes are the same for every rung: no other one would read more in them, so the document file gets all the
 * remaining time.
 */
async function assessFile(
  files: FileReader,
  page: FetchedPage,
  { outputs, crawl, signal, tenantId, allowVision = false }: ContentTerms,
  deadline: Deadline,
): Promise<AssessedPage<ContentResult | null>> {
  const terms = {
    ...{ tenantId: tenantId ?? null, deadline, outputs, crawl, allowVision },
    ...{ url: page.url, hint: hintOf(page) },
  };
  const read = await files.read(page.body, signal ? { ...terms, signal } : terms);
  const file = withCut(read, page.isCut);
  const { found = [], text } = file.ok ? file : {};
  const made = contentOfFile(file.ok ? file.file : null);
  const content = {
    ...{ content: made, found, file },
    ...(text ? { text } : {}),
    ...contentKeyOf(outputs, made),
  };
  return { content, shortcoming: shortcomingOfFile(file), signals: [], isFinal: true };
}

/** The lack of a free thread is not the document's fault: a crawl retries. */
function shortcomingOfFile(file: FileOutcome): Shortcoming | null {
  if (file.ok) return null;
  return file.problem === 'busy' ? 'timeout' : 'parse_error';
}

const TOO_LARGE = {
  ok: false,
  problem: 'too_large',
  message: 'the document exceeds the maximum size of one response (FETCH_MAX_BYTES)',
} as const;

/** A cut document may still be readable; if it is not, it does not count as damaged. */
function withCut(outcome: FileOutcome, isCut: boolean): FileOutcome {
  if (!isCut) return outcome;
  if (!outcome.ok) return CUT_PROBLEMS.has(outcome.problem) ? TOO_LARGE : outcome;
  return { ...outcome, file: { ...outcome.file, truncatedBy: 'body' } };
}

async function assessHtml(
  pool: ContentPool,
  page: FetchedPage,
  request: ContentTerms,
  deadline: Deadline,
): Promise<AssessedPage<ContentResult | null>> {
  const content = await convert(pool, page, request, deadline);
  if (content instanceof ThreadTimeoutError) return unconverted(content);
  const { verdict } = content;
  if (verdict === undefined)
    return { content, shortcoming: 'parse_error', signals: [], isFinal: true };
  if (isMarkdown(page) && verdict.visibleChars > 0)
    return { content, shortcoming: shortcomingOf(page, 'complete'), signals: [] };
  const shortcoming = shortcomingOf(page, verdict.kind);
  const isBlank = shortcoming === 'empty' && !browserMayFindMore(page, verdict);
  const isFinal = verdict.isFinal === true || isBlank;
  const { signals, isGuess, problem } = verdict;
  return {
    ...{ content, shortcoming, signals, isFinal },
    ...(isGuess ? { isGuess } : {}),
    ...(problem ? { problem } : {}),
  };
}

/** A text for readers: what it says of scripts or robots is no sign of either. */
function isMarkdown({ contentType, isRendered, statusCode }: FetchedPage): boolean {
  return isMarkdownType(contentType) && !isRendered && statusCode < 400;
}

async function convert(
  pool: ContentPool,
  page: FetchedPage,
  { outputs, content, crawl, tenantId, isKnownWhole = false }: ContentTerms,
  deadline: Deadline,
): Promise<ContentResult | ThreadTimeoutError> {
  const { statusCode, headers, isRendered, bytes } = page;
  try {
    return await pool.run(
      {
        body: page.body,
        contentType: page.contentType,
        url: page.url,
        isCut: page.isCut,
        outputs,
        ...(outputs.scan ? { scan: surroundingsOf(page) } : {}),
        options: content,
        tenantId: tenantId ?? null,
        crawl,
        judged: { statusCode, headers, isRendered, bytes, isKnownWhole },
      },
      deadline,
    );
  } catch (error) {
    if (error instanceof ThreadTimeoutError) return error;
    throw error;
  }
}

/** A page that no amount of time converts; another rung would fetch the same page. */
const UNCONVERTIBLE: Partial<Record<ThreadProblem, string>> = {
  work: 'Fetch failed: the page was fetched, but its conversion hung and was ended',
  memory:
    'Fetch failed: the page was fetched, but its conversion exceeded the memory limit of one page',
};

function unconverted({ problem }: ThreadTimeoutError): AssessedPage<ContentResult | null> {
  const text = UNCONVERTIBLE[problem];
  const common = { content: null, signals: ['conversion'] };
  if (text === undefined) return { ...common, shortcoming: 'timeout' };
  return { ...common, shortcoming: 'parse_error', isFinal: true, problem: text };
}

function shortcomingOf(page: FetchedPage, verdict: Verdict['kind']): Shortcoming | null {
  if (verdict === 'blocked') return 'blocked';
  if (page.statusCode >= 400) return 'http_error';
  // The time ended after part of the page was read.
  if (page.isCut && page.isUnsettled) return 'timeout';
  return verdict === 'complete' ? null : verdict;
}

/** Whether a browser might find more in an empty page than its source contains. */
function browserMayFindMore(
  { statusCode, headers }: FetchedPage,
  { mayBringMore }: PageVerdict,
): boolean {
  if (statusCode === 204 || statusCode === 205) return false;
  return mayBringMore || headers['refresh'] !== undefined;
}

/**
 * Whether a page is a bot wall, for a rung with more than one way to fetch. Works on a copy: the page itself may
 * still be served.
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
