import {
  DEFAULT_CONTENT_OPTIONS,
  type ContentOptions,
  type OutputValues,
  type PageFacts,
  type PageMetadata,
  type PageOutputs,
  type ParsedFile,
} from '@app/contracts';
import { readBranding } from './branding/read-branding.js';
import { decodeBody, sniffCharset } from './charset/sniff-charset.js';
import { CpuBudget, UNBOUNDED_CPU } from './cpu-budget.js';
import { parsePage, type ParsedPage } from './dom/parse-html.js';
import { preloadedTopic } from './dom/preloaded-topic.js';
import { countInk } from './dom/visibility.js';
import { plainFacts, surveyPage } from './facts/read-facts.js';
import { surveyWhole } from './facts/survey-whole.js';
import { plainHtml, writeCleanHtml } from './html/write-clean-html.js';
import { type JsonLd, readJsonLd } from './json-ld/read-json-ld.js';
import { MAX_MARKDOWN_CHARS, type TruncationReason } from './limits.js';
import { collectLinks, type CollectedLinks } from './links/collect-links.js';
import { readListingWithCuts } from './listing/read-listing.js';
import { pageBase } from './links/page-base.js';
import { UrlResolver } from './links/url-resolver.js';
import { clipText } from './markdown/clip-text.js';
import { codeFence } from './markdown/code-text.js';
import { writePart } from './markdown/write-markdown.js';
import {
  markdownLinks,
  markdownMetadata,
  withoutInlinedImages,
} from './markdown-page/read-markdown-page.js';
import { readMetadata } from './metadata/read-metadata.js';
import { readProduct } from './product/read-product.js';
import { type ReadablePage } from './readable-page.js';
import { anchorsOf, choosePart, isBlankPart, narrows, wholeOf } from './selection/page-part.js';
import { type BodyKind, isMarkdownType, sniffKind } from './sniff-kind.js';

export interface PageInput {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Final address, after redirects. */
  readonly url: string;
  /** The body was cut while it was received. */
  readonly bodyTruncated?: boolean;
}

/** Which outputs to make; metadata and the counts are always made. */
export interface ExtractOptions extends PageOutputs {
  /** Links of the whole page, whatever part of it is kept: what a crawl follows. @default false */
  readonly allLinks?: boolean;
  /** Name of a robot whose own meta element counts beside `<meta name=robots>`. */
  readonly robotsAgent?: string;
  /** What of the page goes into `markdown` and `links`; never cuts `rawHtml`. @default all */
  readonly content?: ContentOptions;
  /**
   * Reads more of the same parse; its result is returned in `read`. For pages of HTML only. What it
   * throws is thrown on. @default nothing more is read
   */
  readonly read?: (page: ReadablePage) => unknown;
  /**
   * CPU time of this thread for all of it, milliseconds. What is made until then is returned; the
   * cut is named `max_cpu`. One step may go on for longer: only a deadline of the thread ends that.
   * @default unbounded
   */
  readonly maxCpuMs?: number;
}

/** All that is read from one page, by one parse. */
export interface PageContent extends Partial<OutputValues> {
  /** WHATWG name of the encoding the body was read in. */
  readonly charset: string;
  readonly kind: BodyKind;
  /** Like `links`, of the whole page. */
  readonly allLinks?: readonly string[];
  /** Those of `allLinks` that the page only names with `rel=nofollow`; absent: none. */
  readonly nofollowLinks?: readonly string[];
  readonly metadata: PageMetadata;
  /** What `ExtractOptions.read` returned. */
  readonly read?: unknown;
  /** Absolute address of `<link rel=canonical>`. */
  readonly canonical?: string;
  /** By `<meta name=robots>` and that of `robotsAgent`; headers are the caller's. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Characters of text a reader would see of the whole page, white space apart. */
  readonly visibleChars: number;
  /** What a verdict on the whole page rests on, whatever part of it is kept. */
  readonly facts: PageFacts;
  /**
   * `no_match`: the page has something to show, the part that the content options keep has not. `parse_error`: its bytes
   * are not in the encoding that it declares, so that its text is lost.
   */
  readonly partReason?: 'no_match' | 'parse_error';
  /** The first limit that cut something off. */
  readonly truncatedBy?: TruncationReason;
}

/** What is left of a page once it is judged. */
export type JudgedContent = Omit<PageContent, 'facts' | 'visibleChars'>;

/**
 * Reads a page from its bytes. Never throws, whatever the bytes, but for what `options.read`
 * throws; time is linear in their number.
 */
export function extractPage(input: PageInput, options: ExtractOptions): PageContent {
  const kind = sniffKind(input.body, input.contentType);
  const charset = sniffCharset(input.body, input.contentType, { url: input.url });
  if (kind === 'binary') return binaryContent(charset, input);
  const text = decodeBody(input.body, charset);
  return kind === 'html'
    ? htmlContent(text, charset, input, options)
    : plainContent(text, charset, kind, input, options);
}

function htmlContent(
  text: string,
  charset: string,
  input: PageInput,
  options: ExtractOptions,
): PageContent {
  const cpu = options.maxCpuMs === undefined ? UNBOUNDED_CPU : new CpuBudget(options.maxCpuMs);
  const page = withTopic(text, parsePage(text, cpu), cpu);
  const resolver = new UrlResolver(pageBase(page.described, input.url));
  const jsonLd = readJsonLd(page.jsonLd);
  const described = readMetadata(
    page.described,
    resolver,
    jsonLd.items,
    options.robotsAgent,
    page.document,
  );
  const { noindex, nofollow } = described;
  const { facts, hiddenChars } = surveyWhole(page);
  const metadata = hiddenChars === 0 ? described.metadata : { ...described.metadata, hiddenChars };
  const { truncatedBy, ...kept } = keptContent({ page, resolver, jsonLd, cpu }, options);
  const extras = new Extras(cpu);
  const readable = { parsed: page, resolver, url: input.url, jsonLd, metadata };
  const listed = extras.make(options.listing === true, () => readListingWithCuts(readable));
  const product = extras.make(options.product === true, () => readProduct(readable));
  const branding = extras.make(options.branding === true, () => readBranding(readable));
  const read = extras.make(options.read !== undefined, () => options.read?.(readable));
  return present({
    charset,
    kind: 'html',
    rawHtml: options.rawHtml ? text : undefined,
    ...kept,
    metadata,
    listing: listed?.listing,
    product,
    branding,
    read,
    canonical: metadata.canonical,
    noindex,
    nofollow,
    visibleChars: facts.visibleChars,
    facts,
    partReason: isGarbled(facts.text) ? 'parse_error' : kept.partReason,
    truncatedBy:
      (extras.isIncomplete ? 'max_cpu' : undefined) ??
      bodyCut(input) ??
      page.truncatedBy ??
      truncatedBy ??
      (listed?.isCut ? 'max_listing' : undefined),
  });
}

/** With more the page shows its posts itself. */
const MIN_SHOWN_CHARS = 500;

/** A page of a forum that a script would show, as it would show it. */
function withTopic(text: string, page: ParsedPage, cpu: CpuBudget): ParsedPage {
  const { preloaded } = page;
  const isTopic = preloaded !== '' && surveyPage(page).facts.visibleChars < MIN_SHOWN_CHARS;
  const topic = isTopic ? preloadedTopic(preloaded) : '';
  return topic === '' ? page : parsePage(`${text}${topic}`, cpu);
}

/** Outputs made one after the other, as long as there is CPU time. */
class Extras {
  isIncomplete = false;

  constructor(private readonly cpu: CpuBudget) {}

  make<T>(isWanted: boolean, work: () => T): T | undefined {
    if (!isWanted) return undefined;
    if (!this.cpu.isSpent()) return work();
    this.isIncomplete = true;
    return undefined;
  }
}

type KeptContent = Pick<
  PageContent,
  'markdown' | 'html' | 'links' | 'allLinks' | 'nofollowLinks' | 'partReason' | 'truncatedBy'
>;

interface KeptInput {
  readonly page: ParsedPage;
  readonly resolver: UrlResolver;
  readonly jsonLd: JsonLd;
  readonly cpu: CpuBudget;
}

/** What the content options act on. */
function keptContent(
  { page, resolver, jsonLd, cpu }: KeptInput,
  options: ExtractOptions,
): KeptContent {
  const content = options.content ?? DEFAULT_CONTENT_OPTIONS;
  const isNarrow = narrows(content);
  const part = isNarrow ? choosePart(page.document, content, jsonLd) : wholeOf(page.document);
  const written = options.markdown ? writePart(part, resolver, { ...content, cpu }) : undefined;
  const html = options.html ? writeCleanHtml(part, resolver, content, cpu) : undefined;
  const whole =
    options.allLinks === true || (options.links && !isNarrow)
      ? collectLinks(page.anchors, resolver)
      : undefined;
  const own = isNarrow && options.links ? collectLinks(anchorsOf(part), resolver) : whole;
  return {
    markdown: written?.markdown,
    html: html?.html,
    links: options.links ? own?.links : undefined,
    allLinks: options.allLinks === true ? whole?.links : undefined,
    nofollowLinks: options.allLinks === true && whole?.nofollow.length ? whole.nofollow : undefined,
    partReason:
      isNarrow && isBlankPart(part) && !isBlankPart(wholeOf(page.document))
        ? 'no_match'
        : undefined,
    truncatedBy:
      (part.isCut ? 'max_selector_steps' : undefined) ??
      written?.truncatedBy ??
      html?.truncatedBy ??
      (own?.isCut || whole?.isCut ? 'max_links' : undefined),
  };
}

function plainContent(
  text: string,
  charset: string,
  kind: 'text' | 'json' | 'xml',
  input: PageInput,
  options: ExtractOptions,
): PageContent {
  const isCut = text.length > MAX_MARKDOWN_CHARS;
  const shown = clipText(text, MAX_MARKDOWN_CHARS);
  const html = options.html ? plainHtml(text) : undefined;
  const facts = plainFacts(text);
  const isMarkdown = kind === 'text' && isMarkdownType(input.contentType);
  const isLinked = isMarkdown && (options.links || options.allLinks === true);
  const found = isLinked ? markdownLinks(shown, input.url) : NO_LINKS;
  const isBare = isMarkdown && options.content?.removeBase64Images === true;
  return present({
    charset,
    kind,
    rawHtml: options.rawHtml ? text : undefined,
    markdown: options.markdown
      ? plainMarkdown(isBare ? withoutInlinedImages(shown) : shown, kind)
      : undefined,
    html: html?.html,
    links: options.links ? found.links : undefined,
    allLinks: options.allLinks === true ? found.links : undefined,
    metadata: isMarkdown ? markdownMetadata(shown) : {},
    noindex: false,
    nofollow: false,
    visibleChars: facts.visibleChars,
    facts,
    partReason: isGarbled(facts.text) ? 'parse_error' : undefined,
    truncatedBy:
      bodyCut(input) ??
      (isCut && options.markdown ? 'max_markdown_chars' : undefined) ??
      html?.truncatedBy ??
      (found.isCut ? 'max_links' : undefined),
  });
}

/**
 * Of text in a wrong encoding digits, signs and what happens to be valid are left over. Languages with many accents stay
 * below: of Vietnamese every fourth letter would be lost.
 */
const MIN_LOST_SHARE = 1 / 3;

function isGarbled(text: string): boolean {
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  return lost > 0 && lost >= MIN_LOST_SHARE * countInk(text);
}

const NO_LINKS: CollectedLinks = { links: [], nofollow: [], isCut: false };

function plainMarkdown(text: string, kind: 'text' | 'json' | 'xml'): string {
  const body = text.replaceAll('\0', '').replace(/\r\n?/g, '\n').trimEnd();
  if (body === '') return '';
  return kind === 'text' ? `${body}\n` : `${codeFence(body, kind)}\n`;
}

function binaryContent(charset: string, input: PageInput): PageContent {
  return present({
    charset,
    kind: 'binary',
    metadata: {},
    noindex: false,
    nofollow: false,
    visibleChars: 0,
    facts: plainFacts(''),
    truncatedBy: bodyCut(input),
  });
}

/**
 * What a document that came instead of a page has in common with one; null: it could not be read.
 */
export function contentOfFile(file: ParsedFile | null): JudgedContent {
  return present({
    charset: 'utf-8',
    kind: 'binary',
    markdown: file?.markdown,
    links: file?.links ?? [],
    metadata: file?.title === undefined ? {} : { title: file.title },
    noindex: false,
    nofollow: false,
  });
}

const bodyCut = (input: PageInput): TruncationReason | undefined =>
  input.bodyTruncated === true ? 'body' : undefined;

/**
 * Leaves out fields that were not requested or not found, so that results compare and serialise
 * cleanly.
 */
function present<Content extends object>(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== undefined),
  ) as Content;
}
