import { type PageMetadata } from '@app/contracts';
import { decodeBody, sniffCharset } from './charset/sniff-charset.js';
import { parsePage } from './dom/parse-html.js';
import { countInk, countVisibleChars } from './dom/visibility.js';
import { MAX_MARKDOWN_CHARS, type TruncationReason } from './limits.js';
import { collectLinks } from './links/collect-links.js';
import { pageBase } from './links/page-base.js';
import { UrlResolver } from './links/url-resolver.js';
import { codeFence } from './markdown/code-text.js';
import { writeMarkdown } from './markdown/write-markdown.js';
import { readMetadata } from './metadata/read-metadata.js';
import { type PageKind, sniffKind } from './sniff-kind.js';

export interface PageInput {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Final address, after redirects. */
  readonly url: string;
  /** The body was cut while it was received. */
  readonly bodyTruncated?: boolean;
}

/** Which outputs to make; metadata and the counts are always made. */
export interface ExtractOptions {
  readonly markdown: boolean;
  readonly links: boolean;
  readonly rawHtml: boolean;
}

/** All that is read from one page, by one parse. */
export interface PageContent {
  /** WHATWG name of the encoding the body was read in. */
  readonly charset: string;
  readonly kind: PageKind;
  /** The decoded source. */
  readonly rawHtml?: string;
  readonly markdown?: string;
  /** Absolute http(s) addresses without fragment, unique, in document order. */
  readonly links?: readonly string[];
  readonly metadata: PageMetadata;
  /** Absolute address of `<link rel=canonical>`. */
  readonly canonical?: string;
  /** By `<meta name=robots>`; headers are the caller's. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Characters of text a reader would see, white space apart. */
  readonly visibleChars: number;
  /** The first limit that cut something off. */
  readonly truncatedBy?: TruncationReason;
}

/** Reads a page from its bytes. Never throws, whatever the bytes; time is linear in their number. */
export function extractPage(input: PageInput, options: ExtractOptions): PageContent {
  const kind = sniffKind(input.body, input.contentType);
  const charset = sniffCharset(input.body, input.contentType);
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
  const page = parsePage(text);
  const resolver = new UrlResolver(pageBase(page.described, input.url));
  const { metadata, noindex, nofollow } = readMetadata(page.described, resolver);
  const written = options.markdown ? writeMarkdown(page.document, resolver) : undefined;
  const collected = options.links ? collectLinks(page.anchors, resolver) : undefined;
  return present({
    charset,
    kind: 'html',
    rawHtml: options.rawHtml ? text : undefined,
    markdown: written?.markdown,
    links: collected?.links,
    metadata,
    canonical: metadata.canonical,
    noindex,
    nofollow,
    visibleChars: countVisibleChars(page.document),
    truncatedBy:
      bodyCut(input) ??
      page.truncatedBy ??
      written?.truncatedBy ??
      (collected?.isCut ? 'max_links' : undefined),
  });
}

function plainContent(
  text: string,
  charset: string,
  kind: 'text' | 'json' | 'xml',
  input: PageInput,
  options: ExtractOptions,
): PageContent {
  const isCut = text.length > MAX_MARKDOWN_CHARS;
  const shown = isCut ? text.slice(0, MAX_MARKDOWN_CHARS) : text;
  return present({
    charset,
    kind,
    rawHtml: options.rawHtml ? text : undefined,
    markdown: options.markdown ? plainMarkdown(shown, kind) : undefined,
    links: options.links ? [] : undefined,
    metadata: {},
    noindex: false,
    nofollow: false,
    visibleChars: countInk(text),
    truncatedBy: bodyCut(input) ?? (isCut && options.markdown ? 'max_markdown_chars' : undefined),
  });
}

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
    truncatedBy: bodyCut(input),
  });
}

const bodyCut = (input: PageInput): TruncationReason | undefined =>
  input.bodyTruncated === true ? 'body' : undefined;

/** Leaves out what was not asked for or not found, so that results compare and serialise cleanly. */
function present(content: PageContent): PageContent {
  return Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== undefined),
  ) as unknown as PageContent;
}
